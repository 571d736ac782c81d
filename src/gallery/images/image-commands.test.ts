import { beforeEach, describe, expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'
import { type CommandState, imageCommands, keyState } from './image-commands.ts'
import {
  type ImageActions,
  trashActionsOf,
  trashViewerActionsOf,
  viewerActionsOf,
} from './use-image-actions.ts'

const api = testGalleryApi()

const castle = {
  image_name: 'castle.png',
  has_workflow: true,
  media_type: 'image/png',
  starred: false,
} as ImageRecord

const one: CommandState = {
  count: 1,
  comparedCount: 2,
  image: castle,
  areAllStarred: false,
  hasVideos: false,
  hasLikeness: true,
  canCopyVideos: true,
  toAssetsCount: 0,
  isAll: false,
  hasQueue: true,
  hasRatings: true,
  hasTags: true,
  rating: null,
  canDownloadSeveral: true,
  canConvert: true,
  canCopyPictures: true,
  canPaste: false,
  hasDays: true,
  canSetCover: true,
  metadata: { prompt: 'a castle', seed: 7 } as NormalMetadata,
}

/** Returns actions of a board that record their names when they run. */
const noting = (ran: string[]): Partial<ImageActions> =>
  new Proxy({} as Partial<ImageActions>, {
    get: (_, name) =>
      ['restore', 'restoreTo', 'deleteForGood'].includes(String(name))
        ? undefined
        : () => ran.push(String(name)),
  })

const STARS = ['★★★★★', '★★★★', '★★★', '★★', '★', 'No rating']

const labelsIn = (state: Partial<CommandState>) =>
  imageCommands(noting([]), { ...one, ...state }).map(({ label }) => label)

beforeEach(() => {
  const extensions = ['trash', 'archives']
  api.queryClient.setQueryData(api.capabilities.query.queryKey, {
    extensions,
  } as never)
})

test('offers every command but Paste for one image', () => {
  expect(labelsIn({})).toEqual([
    'Open',
    'Open in a new tab',
    'Details',
    'More like this',
    'Search for similar prompts',
    'Search for similar parameters',
    'Compare',
    'Star',
    ...STARS,
    'Tags…',
    'Move to board…',
    'Copy to board…',
    'Set as board cover',
    'Process…',
    'Download',
    'Download…',
    'Download workflow',
    'Copy image',
    'Copy image without metadata',
    'Copy prompt',
    'Copy seed',
    'Copy link',
    'Copy file name',
    'Cut',
    'Select all',
    'Select all from this day',
    'Invert selection',
    'Delete',
  ])
})

test.each([
  [1, 'Select at least 2 images'],
  [2, undefined],
  [9, undefined],
  [501, 'At most 500 images'],
])('says whether %d images can be compared', (comparedCount, reason) => {
  const commands = imageCommands(noting([]), { ...one, comparedCount })

  expect(commands.find(({ id }) => id === 'compare')?.disabledReason).toBe(reason)
})

test.each<[string, Partial<CommandState>, string[], string[]]>([
  ['several images', { count: 3, image: null }, ['Star', 'Cut', 'Delete'], ['Open', 'Copy image']],
  ['starred images', { areAllStarred: true }, ['Unstar'], ['Star']],
  ['no queue', { hasQueue: false }, ['Move to board…'], ['Copy to board…', 'Process…']],
  ['an order without days', { hasDays: false }, ['Select all'], ['Select all from this day']],
  ['an image on no board', { canSetCover: false }, ['Star'], ['Set as board cover']],
  ['all images', { isAll: true }, ['Invert selection'], ['Select all']],
  ['no image', { count: 0, image: null }, ['Select all'], ['Star', 'Delete', 'Cut', 'Download']],
  ['images that were cut', { canPaste: true }, ['Paste (move here)'], []],
  ['a page on plain http', { canCopyPictures: false }, ['Copy prompt'], ['Copy image']],
  [
    'a TIFF without a workflow',
    { image: { ...castle, has_workflow: false, media_type: 'image/tiff' } },
    ['Download'],
    ['Copy image', 'Download workflow'],
  ],
])('shows only the commands that apply: %s', (_, state, present, absent) => {
  const labels = labelsIn(state)

  expect(labels).toEqual(expect.arrayContaining(present))
  expect(labels.filter((label) => absent.includes(label))).toEqual([])
})

test.each<[string, CommandState['metadata'], string[]]>([
  ['while the metadata loads', undefined, Array(4).fill('Loading…')],
  ['if the file has no metadata', null, ['No prompt', 'No parameters', 'No prompt', 'No seed']],
  ['never, if the command loads the metadata', 'later', []],
])('disables the commands that need metadata %s', (_, metadata, reasons) => {
  const commands = imageCommands(noting([]), { ...one, metadata })

  expect(commands.flatMap(({ disabledReason }) => disabledReason ?? [])).toEqual(reasons)
})

describe('keys', () => {
  test('runs the action of the command with its ID', () => {
    const ran: string[] = []
    const commands = imageCommands(
      noting(ran),
      keyState({
        hasQueue: true,
        hasRatings: true,
        hasTags: true,
        hasLikeness: true,
        canConvert: true,
      }),
    )

    for (const { run } of commands) run()

    expect(ran).toEqual(commands.map(({ id }) => id))
  })

  test('leaves out the commands that the server does not support', () => {
    const has = { hasQueue: false, hasRatings: false, hasTags: false, hasLikeness: false }
    const ids = imageCommands(noting([]), keyState({ ...has, canConvert: false })).map(
      ({ id }) => id,
    )

    expect(ids).toContain('toggleStar')
    for (const id of ['rate5', 'tag', 'moreLikeThis', 'searchSimilarPrompt', 'copyWithoutMetadata'])
      expect(ids).not.toContain(id)
  })

  test('gives every command a key', () => {
    const commands = imageCommands(
      noting([]),
      keyState({
        hasQueue: true,
        hasRatings: true,
        hasTags: true,
        hasLikeness: true,
        canConvert: true,
      }),
    )

    expect(commands.filter(({ keys }) => keys === undefined)).toEqual([])
  })

  test('gives no two commands the same shortcut', () => {
    const keys = imageCommands(noting([]), { ...one, canPaste: true }).flatMap(
      (one) => one.keys ?? [],
    )

    expect(new Set(keys).size).toBe(keys.length)
  })
})

test('offers the commands of its image in the viewer, without selection commands', () => {
  const actions = viewerActionsOf({
    api,
    image: castle,
    together: [],
    compared: null,
    onMove: () => {},
    onRemove: () => {},
    onDetails: () => {},
  })

  const ids = imageCommands(actions, one).map(({ id }) => id)

  expect(ids).toContain('copyPicture')
  expect(ids).toHaveLength(28)
  expect(ids.filter((id) => ['open', 'cut', 'selectAll', 'invert'].includes(id))).toEqual([])
})

describe('the trash', () => {
  const options = { api, onDelete: () => {}, onMove: () => {} }

  test.each([
    [1, 1, 'Restore to Assets'],
    [2, 1, 'Restore (some to Assets)'],
    [2, 0, 'Restore'],
  ])('says where %d images go if the boards of %d are deleted', (count, toAssetsCount, label) => {
    const actions = { restore: () => {} }

    const commands = imageCommands(actions, { ...one, count, toAssetsCount })

    expect(commands.map((command) => command.label)).toEqual([label])
  })

  test('offers restore and permanent delete, but not star, move or process', () => {
    const actions = trashActionsOf({
      ...options,
      grid: null as never,
      onOpen: () => {},
    })

    expect(imageCommands(actions, one).map(({ label }) => label)).toEqual([
      'Open',
      'Open in a new tab',
      'Details',
      'Restore',
      'Restore to board…',
      'Copy image',
      'Copy image without metadata',
      'Copy prompt',
      'Copy seed',
      'Copy link',
      'Copy file name',
      'Select all',
      'Invert selection',
      'Delete for good…',
    ])
  })

  test('offers the same commands in the viewer, without selection commands', () => {
    const viewed = {
      image: castle,
      together: [],
      compared: null,
      onRemove: () => {},
      onDetails: () => {},
    }

    const commands = imageCommands(trashViewerActionsOf({ ...options, ...viewed }), one)

    expect(commands.map(({ label }) => label)).toEqual([
      'Open in a new tab',
      'Details',
      'Restore',
      'Restore to board…',
      'Copy image',
      'Copy image without metadata',
      'Copy prompt',
      'Copy seed',
      'Copy link',
      'Copy file name',
      'Delete for good…',
    ])
  })
})
