import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { type ImageView, type ImageWindow, TRASH_VIEW } from '#gallery/api/images/image-windows.ts'
import { geometryOf } from '#gallery/images/grid/grid-geometry.ts'
import { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { plainLayoutOf } from '#gallery/images/grid/grid-layout.ts'
import {
  firstInSight,
  type GridNow,
  loadedRecord,
  seenRange,
} from '#gallery/images/grid/grid-now.ts'
import { topOfPosition } from '#gallery/images/grid/grid-rows.ts'
import { GridScroller } from '#gallery/images/grid/grid-scroller.ts'
import {
  type DeleteRequest,
  imageActionsOf,
  type MoveRequest,
  trashActionsOf,
} from '#gallery/images/use-image-actions.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'
import { currentTargets, type Targets, targetRecords } from './selected-images.ts'
import type { Range } from './selection.ts'
import {
  clearSelection,
  currentSelection,
  endMarquee,
  type GridItem,
  invertSelection,
  moveCursor,
  recordInput,
  resetSelection,
  selectAfterViewer,
  selectAll,
  selectImage,
  selectMarquee,
  selectRange,
  selectRanges,
  toggleImage,
} from './selection-store.ts'

const api = testGalleryApi()

// A view of 60 images, five per row. It is scrolled so that images 20 to 34 are visible.
const TOTAL = 60
const view: ImageView = { boardId: 'b1', query: '', orderDir: 'DESC', starredFirst: false }
const nameOf = (position: number) => `${position}.png`
const item = (position: number): GridItem => ({ imageName: nameOf(position), position })
const namesOf = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => nameOf(from + at))
const everyName = namesOf(0, TOTAL - 1)

let now: GridNow
let isFocusVisible: boolean
let sent: { path: string; body: string }[]
const fetchOfNode = globalThis.fetch

beforeAll(() => {
  // The requests never get an answer; the tests check only what was sent.
  globalThis.fetch = (url, init) => {
    sent.push({ path: String(url), body: String(init?.body ?? '') })
    return new Promise<Response>(() => {})
  }
})
afterAll(() => {
  globalThis.fetch = fetchOfNode
})

beforeEach(() => {
  api.outbox.worker.drop()
  resetSelection()
  recordInput(false)
  sent = []
  isFocusVisible = true
  const items = everyName.map((image_name) => ({ image_name, starred: false }) as ImageRecord)
  api.queryClient.clear()
  // The same images on a board and in the trash. Each test uses one of them.
  for (const one of [view, TRASH_VIEW]) {
    api.queryClient.setQueryData(api.imageQueries.window(one, 0).queryKey, {
      items,
      total: TOTAL,
    })
    api.queryClient.setQueryData(api.imageQueries.names(one).queryKey, everyName)
  }
  api.queryClient.setQueryData(api.capabilities.query.queryKey, {
    extensions: ['trash', 'archives'],
  } as never)
  const layout = plainLayoutOf(geometryOf(1000, 180), TOTAL)
  const scroller = new GridScroller()
  const element = Object.assign(new EventTarget(), { scrollTop: 0, matches: () => isFocusVisible })
  scroller.attach(element as unknown as HTMLElement)
  scroller.resize(layout.heightPx, 3 * layout.geometry.rowPx - 10)
  scroller.settleAt(topOfPosition(layout, 20))
  now = {
    view,
    noun: 'image',
    scroller,
    layout,
    total: TOTAL,
    windows: new Map([[0, { items, total: TOTAL }]]),
  }
})

const recordAt = (position: number) => loadedRecord(now, position)
const selectDay = (...ranges: Range[]) => selectRanges(ranges, recordAt, firstInSight(now, ranges))
const drawMarquee = (...ranges: Range[]) => {
  selectMarquee(currentSelection(), ranges, recordAt)
  endMarquee(firstInSight(now, ranges))
}
const actions = (onMove = (_: MoveRequest) => {}, onProcess = (_: Targets) => {}) =>
  imageActionsOf({
    api,
    grid: new GridHandle(now),
    onOpen: () => {},
    onMove,
    onProcess,
  })

const trashActions = (onDelete = (_: DeleteRequest) => {}) => {
  now = { ...now, view: TRASH_VIEW }
  return trashActionsOf({
    api,
    grid: new GridHandle(now),
    onOpen: () => {},
    onMove: () => {},
    onDelete,
  })
}

/** Returns the names in the cached first window of the trash. */
const shownInTrash = () =>
  api.queryClient
    .getQueryData<ImageWindow>(api.imageQueries.window(TRASH_VIEW, 0).queryKey)
    ?.items.map((record) => record?.image_name)

interface SelectionMethod {
  method: string
  select: () => void
  /** The images that every action applies to. */
  targets: readonly string[]
  /** The image that is selected after a delete. */
  next: string | null
}

const methods: SelectionMethod[] = [
  { method: 'a click', select: () => selectImage(item(22)), targets: ['22.png'], next: '23.png' },
  {
    method: 'Ctrl+click',
    select: () => [selectImage(item(22)), toggleImage(item(25))],
    targets: ['22.png', '25.png'],
    next: '23.png',
  },
  {
    method: 'Shift+click',
    select: () => [selectImage(item(22)), selectRange(item(26), recordAt)],
    targets: namesOf(22, 26),
    next: '27.png',
  },
  {
    method: 'a marquee',
    select: () => drawMarquee({ from: 21, to: 22 }, { from: 26, to: 27 }),
    targets: ['21.png', '22.png', '26.png', '27.png'],
    next: '23.png',
  },
  {
    method: 'a marquee with Ctrl, after an image off screen',
    select: () => [toggleImage(item(3)), drawMarquee({ from: 21, to: 22 })],
    targets: ['3.png', '21.png', '22.png'],
    next: '23.png',
  },
  {
    method: '"Select these", after a click on an image that is now off screen',
    select: () => [selectImage(item(3)), selectDay({ from: 24, to: 29 })],
    targets: namesOf(24, 29),
    next: '30.png',
  },
  {
    method: '"Select these" of two days',
    select: () => [selectDay({ from: 20, to: 22 }), selectDay({ from: 30, to: 31 })],
    targets: [...namesOf(20, 22), '30.png', '31.png'],
    next: '23.png',
  },
  {
    method: '"Select these" of a day that begins above the screen',
    select: () => selectDay({ from: 5, to: 24 }),
    targets: namesOf(5, 24),
    next: '25.png',
  },
  { method: 'Select all', select: selectAll, targets: everyName, next: null },
  {
    method: 'Select all without one image',
    select: () => [selectAll(), toggleImage(item(25))],
    targets: everyName.filter((name) => name !== '25.png'),
    next: '25.png',
  },
  {
    method: 'invert',
    select: () => [selectImage(item(22)), selectRange(item(26), recordAt), invertSelection()],
    targets: [...namesOf(0, 21), ...namesOf(27, 59)],
    next: '22.png',
  },
  {
    method: 'tick boxes and long press',
    select: () => [toggleImage(item(22)), toggleImage(item(30)), toggleImage(item(22))],
    targets: ['30.png'],
    next: '31.png',
  },
  {
    method: 'plain arrows',
    select: () => [selectImage(item(22)), selectImage(item(23))],
    targets: ['23.png'],
    next: '24.png',
  },
  {
    method: 'Ctrl+arrows, which move the focus alone',
    select: () => [selectImage(item(22)), moveCursor(item(23)), moveCursor(item(24))],
    targets: ['22.png'],
    next: '23.png',
  },
  {
    method: 'Ctrl+arrow and Ctrl+Space',
    select: () => [selectImage(item(22)), moveCursor(item(24)), toggleImage(item(24))],
    targets: ['22.png', '24.png'],
    next: '23.png',
  },
  {
    method: 'Shift+arrows',
    select: () => [
      selectImage(item(24)),
      selectRange(item(23), recordAt),
      selectRange(item(22), recordAt),
    ],
    targets: namesOf(22, 24),
    next: '25.png',
  },
  {
    method: 'the viewer, opened on another image',
    select: () => [selectImage(item(22)), selectAfterViewer(item(25), false)],
    targets: ['25.png'],
    next: '26.png',
  },
  {
    method: 'the viewer, while several images were selected',
    select: () => [selectImage(item(22)), toggleImage(item(23)), selectAfterViewer(item(25), true)],
    targets: ['22.png', '23.png'],
    next: '24.png',
  },
  {
    method: 'the last image of the view',
    select: () => {
      now.scroller.settleAt(topOfPosition(now.layout, 59))
      selectImage(item(59))
    },
    targets: ['59.png'],
    next: '58.png',
  },
  {
    method: 'images that are all off screen',
    select: () => [toggleImage(item(2)), toggleImage(item(3))],
    targets: ['2.png', '3.png'],
    next: null,
  },
  {
    method: 'the visible focus with nothing selected',
    select: () => moveCursor(item(24)),
    targets: ['24.png'],
    next: '25.png',
  },
]

/** Returns the target names of the outbox entries that change an aspect. */
function doneTo(aspect: string): string[] {
  const names = api.outbox.worker
    .entries()
    .flatMap((entry) => (entry.aspect === aspect ? entry.targets : []))
  return inOrder(names)
}

const inOrder = (names: Iterable<string>) =>
  [...names].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))

describe.each(methods)('after $method', ({ select, targets, next }) => {
  beforeEach(() => {
    expect(seenRange(now)).toEqual({ from: 20, to: 34 })
    select()
  })

  test('stars the selected images with S', async () => {
    actions().toggleStar()

    await vi.waitFor(() => expect(doneTo('starred')).toEqual(targets))
  })

  test('deletes the selected images and selects the next one', async () => {
    actions().trash()

    await vi.waitFor(() => expect(doneTo('trashed')).toEqual(targets))
    const selected = [...currentSelection().added.keys()]
    expect(selected).toEqual(next === null ? [] : [next])
  })

  test('moves the selected images with M', async () => {
    actions((request) => request.placeOn('b2')).move()

    await vi.waitFor(() => expect(doneTo('board')).toEqual(targets))
  })

  test('copies the selected images with Shift+M', async () => {
    actions((request) => request.placeOn('b2')).copy()

    await vi.waitFor(() => expect(sent).not.toEqual([]))
    const named = sent.flatMap(({ body }) => body.match(/\d+\.png/g) ?? [])
    expect(inOrder(new Set(named))).toEqual(targets)
  })

  test('processes and cuts the selected images', async () => {
    const named: Promise<readonly string[]>[] = []
    actions(undefined, (chosen) => named.push(chosen.names())).process()
    const cut = await currentTargets(api, now)?.namesForRemoval()

    expect(inOrder((await named[0]) ?? [])).toEqual(targets)
    expect(inOrder(cut ?? [])).toEqual(targets)
  })

  test('restores the selected images from the trash and selects the next one', async () => {
    trashActions().restore()

    await vi.waitFor(() => expect(doneTo('trashed')).toEqual(targets))
    expect(api.outbox.worker.entries().map(({ wanted }) => wanted)).toEqual([false])
    expect(shownInTrash()).toEqual(everyName.filter((name) => !targets.includes(name)))
    expect([...currentSelection().added.keys()]).toEqual(next === null ? [] : [next])
  })

  test('asks before a permanent delete, and selects the next image afterwards', async () => {
    const requests: DeleteRequest[] = []
    trashActions((request) => requests.push(request)).deleteForGood()

    const names = await requests[0]?.names()
    const selectNext = requests[0]?.onDelete()
    expect(inOrder(names ?? [])).toEqual(targets)
    expect(sent).toEqual([])
    selectNext?.()
    expect([...currentSelection().added.keys()]).toEqual(next === null ? [] : [next])
  })
})

describe('no action applies to an image without visible selection or focus:', () => {
  const unseen: [string, () => void][] = [
    ['nothing was ever focused', () => {}],
    ['the focus is off screen', () => moveCursor(item(3))],
    ['Esc cleared a selection off screen', () => [selectImage(item(3)), clearSelection()]],
    [
      'the focused image was replaced by another',
      () => moveCursor({ imageName: 'moved-away.png', position: 24 }),
    ],
    [
      'the browser shows no focus',
      () => {
        moveCursor(item(24))
        isFocusVisible = false
      },
    ],
    [
      'a touch closed the viewer',
      () => {
        recordInput(true)
        selectAfterViewer(item(3), false)
      },
    ],
  ]

  test.each(unseen)('%s', async (_, prepare) => {
    prepare()
    const moves: MoveRequest[] = []
    const deletes: DeleteRequest[] = []
    const { toggleStar, trash, move, copy, process, download } = actions((one) => moves.push(one))

    for (const act of [toggleStar, trash, move, copy, process, download]) act()
    const { restore, deleteForGood } = trashActions((one) => deletes.push(one))
    for (const act of [restore, deleteForGood]) act()

    expect(currentTargets(api, now)).toBeNull()
    expect(targetRecords(now)).toEqual([])
    expect(moves).toEqual([])
    expect(deletes).toEqual([])
    expect(api.outbox.worker.entries()).toEqual([])
    expect(sent).toEqual([])
  })
})

test('selects nothing after a delete by touch', () => {
  recordInput(true)
  toggleImage(item(22))

  actions().trash()

  expect(currentSelection().added.size).toBe(0)
})
