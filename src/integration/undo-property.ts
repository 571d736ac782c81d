import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Board, ImageRecord } from '#client/index.ts'
import { createBoard } from '#gallery/api/boards/create-board.ts'
import { copyImages } from '#gallery/api/copy-images.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { emptyLibrary } from '#testing/library/library-maker.ts'
import { roundsOf } from '#testing/rounds.ts'
import {
  type RunningServer,
  type ServerOptionsOfTest,
  startServer,
} from '#testing/server/start-server.ts'
import { testGalleryApi } from './test-gallery-api.ts'

const RUNS = roundsOf({ usual: 1, all: 8 })
const STEPS = { minLength: 8, maxLength: 30, size: 'max' } as const

/** Shrinking stops after this time and reports the shortest failing sequence found so far. */
const TIME_LIMIT_MS = 60_000

const fetchOfNode = globalThis.fetch
let server: RunningServer

/** Index of an image or a board, modulo the number of existing ones. */
const which = fc.nat({ max: 1000 })
const some = fc.array(which, { minLength: 1, maxLength: 4 })
const visibilities = ['private', 'shared', 'public'] as const

const anyAction = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('star'), images: some, on: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('move'), images: some, board: which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('trash'), images: some }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore'), images: some }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('copy'), images: some, board: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create'), board: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename'), board: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('archive'), board: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename group'), board: which }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('archive group'), board: which, on: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('delete group'), board: which, on: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('visibility'), board: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin'), board: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('describe'), board: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('place'), board: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cover'), images: some, board: which }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('delete'), board: which, on: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore board'), board: which }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('undo'), count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('redo'), count: fc.integer({ min: 1, max: 3 }) }),
  },
)

/** An action to take. Fields that do not apply to its kind are absent. */
interface Action {
  do: string
  images?: number[]
  board?: number
  on?: boolean
  count?: number
}

/** Tests undo and redo of random actions, on a server with these options. */
export function testUndoOfRandomActions(optionsOf: () => Promise<ServerOptionsOfTest>): void {
  beforeAll(async () => {
    server = await startServer(await optionsOf())
    // The data layer asks whether the page is visible.
    vi.stubGlobal('document', { visibilityState: 'visible' })
    globalThis.fetch = (url, init) => fetchOfNode(new URL(String(url), server.url), init)
  })

  afterAll(async () => {
    vi.unstubAllGlobals()
    globalThis.fetch = fetchOfNode
    await server.close()
  })

  test('undoing all restores the library, and redoing all repeats the actions', async () => {
    const file = await drawFile('cat.png', { widthPx: 32, heightPx: 24 })
    const run = fc.asyncProperty(fc.array(anyAction, STEPS), async (actions) => {
      // `emptyLibrary` does not know archived boards.
      for (const id of idsOf(await liveBoards())) await server.client.boardOperations.delete(id)
      expect(await emptyLibrary(server.client)).toBe(true)
      const user = await userWithLibrary(file)
      const atStart = await snapshot()

      for (const action of actions) {
        await take(user, action)
        await settled(user)
      }

      const atEnd = await snapshot()
      const last = user.journal.getState().findLast(({ state }) => state === 'done')
      user.journal.goTo(null)
      await settled(user)
      expect(await snapshot()).toEqual(atStart)
      // An undone move makes an image forget the deleted board that it came from, so that a restored board gets more
      // images back the second time.
      const hasRestoredBoard = actions.some((action) => action.do === 'restore board')
      if (last === undefined || hasRestoredBoard) return
      user.journal.goTo(last.id)
      await settled(user)
      expect(await snapshot()).toEqual(atEnd)
    })

    await fc.assert(run, { numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS })
  }, 300_000)
}

/** Returns the data layer of a page, in front of a library of three boards with images. */
async function userWithLibrary(file: Blob): Promise<GalleryApi> {
  const user = testGalleryApi()
  await user.queryClient.fetchQuery(user.capabilities.query)
  const places: (string | undefined)[] = [undefined]
  for (const name of ['Castles', 'Dragons', 'Forests']) {
    const { board_id } = await user.client.boardOperations.create(name)
    places.push(board_id)
  }
  for (let at = 0; at < 12; at += 1) {
    const boardId = places[at % places.length]
    await user.client.uploads.upload(
      { bytes: file, fileName: `${at}.png` },
      { ...(boardId && { boardId }) },
    )
  }
  return user
}

async function take(user: GalleryApi, action: Action): Promise<void> {
  const { outbox, journal } = user
  const live = await liveImages()
  const boards = await liveBoards()
  const { boards: trashedBoards, items: trashed } = await server.client.trash.list({
    offset: 0,
    limit: 1000,
  })
  const board = pick(boards, action.board)
  const names = chosen(live, action.images)
  switch (action.do) {
    case 'star':
      return void outbox.star(names, action.on === true)
    case 'move':
      return void outbox.move(names, pick(['none', ...idsOf(boards)], action.board) ?? 'none')
    case 'trash':
      return void outbox.trash(names)
    case 'restore': {
      // An image of a deleted board is restored to another place, which the server does not undo.
      const isAtHome = ({ board_id }: ImageRecord) =>
        board_id === null || idsOf(boards).includes(board_id)
      return void outbox.restore(chosen(trashed.filter(isAtHome), action.images))
    }
    case 'copy': {
      const images = { count: names.length, names: async () => names }
      return copyImages(user, images, pick(['none', ...idsOf(boards)], action.board) ?? 'none')
    }
    case 'create':
      return void (await createBoard(user, `Board ${action.board}`))
    case 'undo':
      for (let count = action.count ?? 0; count > 0; count -= 1) journal.undoLast()
      return
    case 'redo':
      for (let count = action.count ?? 0; count > 0; count -= 1) journal.redoLast()
      return
    case 'restore board': {
      const gone = pick(trashedBoards, action.board)
      return void (gone && outbox.restoreBoard(gone))
    }
  }
  if (board === undefined) return
  const group = boards.slice(boards.indexOf(board))
  switch (action.do) {
    case 'rename group': {
      const boardName = `Group ${action.board}`
      const renamed = ({ board_id }: Board) => `${boardName}/${board_id}`
      return void outbox.renameGroup('Group', group, { boardName, renamed })
    }
    case 'archive group':
      return void outbox.archiveGroup('Group', group, action.on === true)
    case 'delete group':
      return void outbox.trashGroup('Group', group, action.on ? 'delete' : 'keep')
    case 'rename':
      return void outbox.renameBoard(board, `Name ${action.board}`)
    case 'archive':
      return void outbox.changeBoard(board, 'board_archived', !board.archived)
    case 'pin':
      return void outbox.changeBoard(board, 'board_pinned', !board.starred)
    case 'place':
      return void outbox.changeBoard(board, 'board_position', `b${10 + ((action.board ?? 0) % 90)}`)
    case 'describe':
      return void outbox.changeBoard(board, 'board_description', `About ${action.board}`)
    case 'visibility':
      return void outbox.changeBoard(
        board,
        'board_visibility',
        pick(visibilities, action.board) ?? 'private',
      )
    case 'cover': {
      const cover = pick(
        live.filter(({ board_id }) => board_id === board.board_id),
        action.images?.[0],
      )
      return void (cover && outbox.changeBoard(board, 'board_cover', cover.image_name))
    }
    case 'delete':
      return void outbox.trashBoard(board, action.on ? 'delete' : 'keep')
  }
}

const pick = <Item>(items: readonly Item[], at = 0): Item | undefined => items[at % items.length]

const idsOf = (boards: readonly Board[]): string[] => boards.map(({ board_id }) => board_id)

const chosen = (images: readonly ImageRecord[], indices: readonly number[] = []): string[] => {
  const names = indices.flatMap((at) => pick(images, at)?.image_name ?? [])
  return [...new Set(names)]
}

/** Waits until the server has confirmed all changes. */
async function settled({ journal, outbox }: GalleryApi): Promise<void> {
  await vi.waitFor(
    () => {
      expect(outbox.worker.entries()).toEqual([])
      expect(journal.getState().filter(({ isPending }) => isPending)).toEqual([])
    },
    { timeout: 30_000, interval: 5 },
  )
}

const liveImages = async () =>
  (await server.client.images.page({}, { offset: 0, limit: -1 })).items.toSorted((one, other) =>
    one.image_name.localeCompare(other.image_name),
  )

const liveBoards = async () =>
  (await server.client.boardOperations.list({ includeArchived: true })).toSorted((one, other) =>
    one.board_id.localeCompare(other.board_id),
  )

/** The library without the trash. */
const snapshot = async () => ({
  images: (await liveImages()).map(({ image_name, board_id, starred }) => [
    image_name,
    board_id,
    starred,
  ]),
  boards: (await liveBoards()).map((board) => [
    board.board_id,
    board.board_name,
    board.archived,
    board.board_visibility,
    // Not set and off are the same for a person.
    board.starred === true,
    board.description ?? '',
    board.position ?? '',
    board.cover_image_name,
    board.chosen_cover_image_name,
    board.image_count,
  ]),
})
