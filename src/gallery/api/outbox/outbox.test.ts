import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import type { Board } from '#client/index.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import type { JournalEvent } from '#gallery/api/journal/journal-types.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { UNDO_WINDOW_MS } from './outbox.ts'
import type { OutboxEvent } from './outbox-events.ts'
import { CHANGED, IMAGES_ADDED } from './skip-reasons.ts'

const api = testGalleryApi()

const all: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }

const fetchOfNode = globalThis.fetch
let server: RunningServer
let isAway = false
/** True: the next change is carried out, but its answer is lost. */
let losesAnswer = false
let sent: string[] = []
let board: Board
let names: string[]
let news: OutboxEvent[]
let stopNews = () => {}

beforeAll(async () => {
  server = await startServer()
  // The page speaks to the server it came from, by addresses without a host.
  globalThis.fetch = async (url, init) => {
    if (isAway) throw new TypeError('the connection is cut')
    if (init?.method !== 'GET') sent.push(`${init?.method} ${url}`)
    const answer = await fetchOfNode(new URL(String(url), server.url), init)
    if (losesAnswer && init?.method !== 'GET') {
      losesAnswer = false
      throw new TypeError('the answer is lost')
    }
    return answer
  }
})

afterAll(async () => {
  globalThis.fetch = fetchOfNode
  await server.close()
})

beforeEach(async () => {
  board = await api.client.boardOperations.create('Portraits')
  names = []
  for (const fileName of ['a.png', 'b.png', 'c.png']) {
    const bytes = await drawFile(fileName)
    const image = await api.client.uploads.upload({ bytes, fileName }, { boardId: board.board_id })
    names.unshift(image.image_name)
  }
  await loadShown()
  sent = []
  news = []
  stopNews = api.outbox.events.add((one) => news.push(one))
})

afterEach(async () => {
  stopNews()
  isAway = false
  for (const boardId of await idsOf()) {
    await api.client.boardOperations.delete(boardId, { includeImages: true })
  }
  await api.client.images.deleteUncategorized()
  await api.client.trash.empty()
  api.queryClient.clear()
})

/** Loads the queries that the page shows. */
async function loadShown(): Promise<void> {
  // A fetch that runs already, as after a move, may have asked before the last change of the server.
  await api.queryClient.cancelQueries()
  await api.queryClient.fetchQuery(api.capabilities.query)
  await api.queryClient.fetchQuery({ ...api.boardQueries.list(), staleTime: 0 })
  await api.queryClient.fetchQuery({ ...api.boardQueries.uncategorizedCount(), staleTime: 0 })
  await api.queryClient.fetchQuery({ ...api.imageQueries.window(all, 0), staleTime: 0 })
  await api.queryClient.fetchQuery({ ...api.imageQueries.window(onBoard(), 0), staleTime: 0 })
}

const onBoard = (): ImageView => ({ ...all, boardId: board.board_id })

const idsOf = async () => (await api.client.boardOperations.list()).map(({ board_id }) => board_id)

const shown = (view: ImageView) =>
  api.queryClient
    .getQueryData(api.imageQueries.window(view, 0).queryKey)
    ?.items.map((image) => image?.image_name)

const shownCount = () =>
  api.queryClient
    .getQueryData(api.boardQueries.list().queryKey)
    ?.find(({ board_id }) => board_id === board.board_id)?.image_count

const namesOnServer = async (boardId = board.board_id) =>
  (await api.client.boardOperations.imageNames(boardId)).toSorted()

test('shows a star before the server confirms it', async () => {
  const { outcome } = api.outbox.star(names.slice(0, 1), true)

  const first = api.queryClient.getQueryData(api.imageQueries.window(all, 0).queryKey)?.items[0]
  expect(first?.starred).toBe(true)
  expect((await outcome).failed).toEqual([])
  expect((await api.client.images.get(names[0] ?? ''))?.starred).toBe(true)
})

test('raises only lower ratings, also of images that are not loaded, with Undo', async () => {
  const ratings = async () =>
    (await api.client.images.getMany(names)).map(({ rating }) => rating).toSorted()
  await api.client.images.rate(names.slice(0, 1), 5)
  api.queryClient.clear()

  await api.outbox.raise(names, 4)
  await expect.poll(ratings).toEqual([4, 4, 5])
  expect(news).toMatchObject([{ kind: 'taken', action: { count: 2, leftOutCount: 1 } }])

  await api.outbox.raise(names, 4)
  expect(news.at(-1)).toMatchObject({ kind: 'nothing', action: { leftOutCount: 3 } })
  api.journal.undoLast()
  await expect.poll(ratings).toEqual([0, 0, 5])
})

test('raises no ratings that are unknown, and can try again', async () => {
  api.queryClient.clear()
  isAway = true
  await api.outbox.raise(names, 4)
  const [refused] = news
  expect(refused).toMatchObject({ kind: 'unnamed', action: { aspect: 'rating', count: 3 } })

  isAway = false
  if (refused?.kind === 'unnamed') refused.retry()
  await expect.poll(() => news.at(-1)).toMatchObject({ kind: 'taken', action: { count: 3 } })
  api.journal.undoLast()
})

test('sends nothing for a star that is removed at once', async () => {
  api.outbox.star(names.slice(0, 1), true)
  const { outcome } = api.outbox.star(names.slice(0, 1), false)
  await outcome

  expect(sent).toEqual([])
})

test('shows an undone deletion in view and counts before the server answers', async () => {
  const step = api.outbox.trash(names.slice(0, 2))
  await step.outcome
  expect(shownCount()).toBe(1)

  step.undo()

  expect([shown(onBoard())?.length, shownCount()]).toEqual([3, 3])
  await vi.waitFor(async () => expect(await namesOnServer()).toEqual(names.toSorted()), {
    timeout: 30_000,
  })
  await loadShown()
  expect(shownCount()).toBe(3)
})

test('shows a move in view and counts, and Undo reverts both', async () => {
  const step = api.outbox.move(names.slice(0, 2), 'none')
  expect(shown(onBoard())).toEqual(names.slice(2))
  expect(shownCount()).toBe(1)
  await step.outcome
  expect(await namesOnServer('none')).toEqual(names.slice(0, 2).toSorted())

  step.undo()

  expect(shownCount()).toBe(3)
  await vi.waitFor(async () => expect(await namesOnServer()).toEqual(names.toSorted()), {
    timeout: 30_000,
  })
})

test('shows undone images at their previous positions at once', async () => {
  const step = api.outbox.move(names.slice(0, 2), 'none')
  await step.outcome

  step.undo()

  expect(shown(onBoard())).toEqual(names)
  expect(news.at(-1)).toMatchObject({ kind: 'undone', isComing: false })
  const answer = api.queryClient.fetchQuery({
    ...api.imageQueries.window(onBoard(), 0),
    staleTime: 0,
  })
  expect((await answer).items.map((image) => image?.image_name)).toEqual(names)
})

test('reports returning images as coming if the view has changed since', async () => {
  const step = api.outbox.move(names.slice(0, 2), 'none')
  await step.outcome
  await api.outbox.star(names.slice(2), true).outcome

  step.undo()

  expect(shown(onBoard())).toEqual(names.slice(2))
  expect(news.at(-1)).toMatchObject({ kind: 'undone', isComing: true })
  await vi.waitFor(async () => expect(await namesOnServer()).toEqual(names.toSorted()), {
    timeout: 30_000,
  })
})

test('leaves no trace of a move that is undone before it is sent', async () => {
  const step = api.outbox.move(names, 'none')
  step.undo()
  await step.outcome

  expect(sent).toEqual([])
  expect(shown(onBoard())).toEqual(names)
  expect(shownCount()).toBe(3)
})

test('rolls back a refused change and reports the reason', async () => {
  const { outcome } = api.outbox.move(names, 'no-such-board')
  expect(shown(onBoard())).toEqual([])

  const { failed } = await outcome

  expect(failed.map(({ reason }) => reason)).toEqual(Array(3).fill('It no longer exists.'))
  await vi.waitFor(() => expect(shown(onBoard())).toEqual(names), { timeout: 30_000 })
  expect(shownCount()).toBe(3)
  expect(news.map(({ kind }) => kind)).toEqual(['taken', 'refused'])
})

test('reports images that are already on the board and moves none', async () => {
  await api.outbox.move(names, board.board_id).outcome

  expect(sent).toEqual([])
  expect(news.map(({ kind }) => kind)).toEqual(['nothing'])
})

test('lists no action in the journal if the server already has the wanted value', async () => {
  api.queryClient.removeQueries({ queryKey: ['images'] })
  const before = api.journal.getState()

  const { outcome } = api.outbox.star(names, false)
  expect(api.journal.getState()).toHaveLength(before.length + 1)
  await outcome

  await vi.waitFor(() => expect(api.journal.getState()).toEqual(before))
})

test('restores deleted images to their board', async () => {
  await api.outbox.trash(names.slice(0, 2)).outcome
  expect(await namesOnServer()).toEqual(names.slice(2))

  api.journal.undoLast()

  await vi.waitFor(async () => expect(await namesOnServer()).toEqual(names.toSorted()), {
    timeout: 30_000,
  })
})

test('restores images of the trash by name', async () => {
  await api.outbox.trash(names).outcome

  await api.outbox.restore(names.slice(0, 1)).outcome

  expect(await namesOnServer()).toEqual(names.slice(0, 1))
  await api.outbox.restore(names).outcome
})

test('removes the star with Undo although the answer to the star was lost', async () => {
  const isStarred = async () => (await api.client.images.get(names[0] ?? ''))?.starred
  losesAnswer = true
  await api.outbox.star(names.slice(0, 1), true).outcome
  expect(await isStarred()).toBe(true)

  api.journal.undoLast()

  await expect.poll(isStarred).toBe(false)
})

test('unpins a board with Undo before the page knows that the pin arrived @long', async () => {
  const isPinned = async () => (await api.client.boardOperations.get(board.board_id)).starred
  losesAnswer = true
  const step = api.outbox.changeBoard(board, 'board_pinned', true)
  await expect.poll(isPinned).toBe(true)

  api.journal.undoLast()
  await step.outcome

  await expect.poll(isPinned).toBe(false)
})

test('restores the name of a renamed board with Undo', async () => {
  await api.outbox.renameBoard(board, 'Faces').outcome
  expect((await api.client.boardOperations.get(board.board_id)).board_name).toBe('Faces')

  api.journal.undoLast()

  await vi.waitFor(
    async () =>
      expect((await api.client.boardOperations.get(board.board_id)).board_name).toBe('Portraits'),
    { timeout: 30_000 },
  )
})

const CHANGES = [
  { aspect: 'board_name', field: 'board_name', mine: 'Faces', theirs: 'Castles' },
  { aspect: 'board_description', field: 'description', mine: 'Faces', theirs: 'By Ada' },
  { aspect: 'board_visibility', field: 'board_visibility', mine: 'private', theirs: 'public' },
  { aspect: 'board_position', field: 'position', mine: 'a1', theirs: 'a5' },
] as const

test.each(CHANGES)('Undo leaves a $aspect that another client changed since', async (change) => {
  const { aspect, field, mine, theirs } = change
  const stored = async () => (await api.client.boardOperations.get(board.board_id))[field]
  const skipped: JournalEvent[] = []
  onTestFinished(api.journal.events.add((one) => skipped.push(one)))
  await (aspect === 'board_name'
    ? api.outbox.renameBoard(board, mine)
    : api.outbox.changeBoard(board, aspect, mine)
  ).outcome
  expect(await stored()).toBe(mine)
  await api.client.boardOperations.update(board.board_id, { [field]: theirs })
  const { queryKey } = api.boardQueries.list()
  await api.queryClient.fetchQuery({ ...api.boardQueries.list(), staleTime: 0 })
  const values = new Set<unknown>()
  onTestFinished(
    api.queryClient
      .getQueryCache()
      .subscribe(() => values.add(api.queryClient.getQueryData(queryKey)?.[0]?.[field])),
  )

  api.journal.undoLast()

  await expect.poll(() => skipped[0]?.failed).toMatchObject([{ reason: CHANGED[aspect] }])
  expect([...values]).toEqual([theirs])
  expect(await stored()).toBe(theirs)
})

test('Undo keeps an image in view on the board to which another client moved it', async () => {
  const [name = ''] = names
  const mine = await api.client.boardOperations.create('Mine')
  const theirs = await api.client.boardOperations.create('Theirs')
  const skipped: JournalEvent[] = []
  onTestFinished(api.journal.events.add((one) => skipped.push(one)))
  await api.outbox.move([name], mine.board_id).outcome
  await api.client.images.move([name], theirs.board_id)
  await loadShown()
  const boards = new Set<unknown>()
  const { queryKey } = api.imageQueries.window(all, 0)
  const recordOf = () =>
    api.queryClient.getQueryData(queryKey)?.items.find((image) => image?.image_name === name)
  onTestFinished(api.queryClient.getQueryCache().subscribe(() => boards.add(recordOf()?.board_id)))

  api.journal.undoLast()
  expect(shown(onBoard())).not.toContain(name)

  await expect.poll(() => skipped[0]?.failed).toMatchObject([{ reason: CHANGED.board }])
  expect([...boards]).toEqual([theirs.board_id])
})

test('Undo leaves a new board on which another client put an image', async () => {
  const created = await api.client.boardOperations.create('Mine')
  const skipped: JournalEvent[] = []
  onTestFinished(api.journal.events.add((one) => skipped.push(one)))
  api.outbox.boardCreated(created)
  await api.client.images.move(names.slice(0, 1), created.board_id)

  api.journal.undoLast()

  await expect.poll(() => skipped[0]?.failed).toMatchObject([{ reason: IMAGES_ADDED }])
  expect(await idsOf()).toContain(created.board_id)
})

test.each([
  ['renamed', { board_name: 'Theirs' }, CHANGED.board_name],
  ['described', { description: 'For the exhibition' }, CHANGED.board_description],
])('Undo leaves a new board that another client %s', async (_, change, reason) => {
  const created = await api.client.boardOperations.create('Mine')
  const skipped: JournalEvent[] = []
  onTestFinished(api.journal.events.add((one) => skipped.push(one)))
  api.outbox.boardCreated(created)
  await api.client.boardOperations.update(created.board_id, change)

  api.journal.undoLast()

  await expect.poll(() => skipped[0]?.failed).toMatchObject([{ reason }])
  expect(await idsOf()).toContain(created.board_id)
})

test('Undo leaves a new board on which another client put a video', async () => {
  const created = await api.client.boardOperations.create('Mine')
  const skipped: JournalEvent[] = []
  onTestFinished(api.journal.events.add((one) => skipped.push(one)))
  api.outbox.boardCreated(created)
  const clip = new Blob([await drawClip()])
  await api.client.videos.upload({ bytes: clip }, { boardId: created.board_id })

  api.journal.undoLast()

  await expect.poll(() => skipped[0]?.failed).toMatchObject([{ reason: IMAGES_ADDED }])
  expect(await idsOf()).toContain(created.board_id)
})

test('Undo of a restore leaves images that another client moved since', async () => {
  const [moved = '', onBoard = '', inAssets = ''] = names
  const { images, trash } = api.client
  const skipped: JournalEvent[] = []
  onTestFinished(api.journal.events.add((one) => skipped.push(one)))
  await images.move([inAssets], 'none')
  await trash.trashImages(names)
  await api.outbox.restore(names).outcome
  await images.move([moved], 'none')

  api.journal.undoLast()

  await expect.poll(() => skipped[0]?.failed).toEqual([{ name: moved, reason: CHANGED.board }])
  expect(await namesOnServer('none')).toEqual([moved])
  expect(await namesOnServer()).toEqual([])
  const { items } = await trash.list({ offset: 0, limit: 9 })
  expect(items.map(({ image_name }) => image_name).toSorted()).toEqual(
    [onBoard, inAssets].toSorted(),
  )
})

test('Undo of a restore to a board leaves images that another client moved since @long', async () => {
  const [first = '', second = ''] = names
  const mine = await api.client.boardOperations.create('Mine')
  const skipped: JournalEvent[] = []
  onTestFinished(api.journal.events.add((one) => skipped.push(one)))
  await api.client.trash.trashImages([first, second])
  await api.outbox.restoreTo([first, second], mine.board_id).outcome
  await api.client.images.move([first], board.board_id)

  api.journal.undoLast()

  await expect.poll(() => skipped[0]?.failed).toEqual([{ name: first, reason: CHANGED.board }])
  expect(await namesOnServer()).toContain(first)
  expect(await namesOnServer(mine.board_id)).toEqual([])
})

test('Undo leaves a cover that another client chose since', async () => {
  const [c = '', b = ''] = names
  const { boardOperations } = api.client
  const skipped: JournalEvent[] = []
  onTestFinished(api.journal.events.add((one) => skipped.push(one)))
  await api.outbox.changeBoard(board, 'board_cover', c).outcome
  await boardOperations.update(board.board_id, { cover_image_name: b })

  api.journal.undoLast()

  await expect.poll(() => skipped[0]?.failed).toMatchObject([{ reason: CHANGED.board_cover }])
  expect((await boardOperations.get(board.board_id)).cover_image_name).toBe(b)
})

test('Undo of a renamed group reverts only the boards that others left alone', async () => {
  const boards = [
    await api.client.boardOperations.create('Clients/Acme'),
    await api.client.boardOperations.create('Clients/Beta'),
  ]
  const storedNames = async () =>
    (await api.client.boardOperations.list()).map(({ board_name }) => board_name).toSorted()
  const renamed = ({ board_name }: Board) => board_name.replace('Clients', 'Work')
  await api.outbox.renameGroup('Clients', boards, { boardName: 'Work', renamed }).outcome
  await api.client.boardOperations.update(boards[1]?.board_id ?? '', { board_name: 'Beta' })

  api.journal.undoLast()

  await expect.poll(storedNames).toEqual(['Beta', 'Clients/Acme', 'Portraits'])
})

test.each(['keep', 'delete'] as const)(
  'restores a deleted board with its images (%s)',
  async (images) => {
    const step = api.outbox.trashBoard(board, images)
    expect(api.queryClient.getQueryData(api.boardQueries.list().queryKey)).toEqual([])
    await step.outcome
    expect(await idsOf()).not.toContain(board.board_id)

    step.undo()

    await vi.waitFor(async () => expect(await namesOnServer()).toEqual(names.toSorted()), {
      timeout: 30_000,
    })
  },
)

/** Treats the board of three images as large, so that it is deleted one image at a time. */
function treatAsLarge() {
  const fetchOfPage = globalThis.fetch
  onTestFinished(() => {
    globalThis.fetch = fetchOfPage
  })
  const parts = { answer: (_part: number): Response | undefined => undefined, sent: 0 }
  globalThis.fetch = async (url, init) => {
    if (url !== '/api/v1/trash/boards') return fetchOfPage(url, init)
    const answer = parts.answer(parts.sent)
    parts.sent += 1
    const body = JSON.stringify({ ...JSON.parse(String(init?.body)), max_images: 1 })
    return answer ?? fetchOfPage(url, { ...init, body })
  }
  return { large: { ...board, image_count: 12_000 }, parts }
}

/** Returns the events of a step in parts. */
const eventsOfParts = () =>
  news.map((one) => ('doneCount' in one ? [one.kind, one.doneCount] : one.kind))

const isBack = () =>
  vi.waitFor(async () => expect(await namesOnServer()).toEqual(names.toSorted()), {
    timeout: 30_000,
  })

test.each(['keep', 'delete'] as const)(
  'deletes a large board in parts (%s) and restores it as a whole',
  async (images) => {
    const { large, parts } = treatAsLarge()

    const step = api.outbox.trashBoard(large, images)
    await step.outcome

    expect(parts.sent).toBe(3)
    const progress = [0, 5000, 10_000].map((doneCount) => ['in parts', doneCount])
    expect(eventsOfParts()).toEqual([...progress, 'taken'])
    expect(await idsOf()).not.toContain(board.board_id)
    expect(api.journal.undoLast()).toBe(true)
    await isBack()
  },
)

test('restores the deleted images after Cancel between two parts', async () => {
  const { large, parts } = treatAsLarge()
  const step = api.outbox.trashBoard(large, 'delete')
  parts.answer = (part) => {
    if (part === 1) step.undo()
    return undefined
  }

  await step.outcome

  await isBack()
  expect(parts.sent).toBe(2)
  const back = [0, 12_000].map((doneCount) => ['coming back', doneCount])
  await vi.waitFor(
    () => expect(eventsOfParts()).toEqual([['in parts', 0], ['in parts', 5000], ...back]),
    {
      timeout: 30_000,
    },
  )
  expect((await api.client.trash.list({ offset: 0, limit: 0 })).total).toBe(0)
})

test('reports a refusal halfway through a large board, and Retry continues', async () => {
  const { large, parts } = treatAsLarge()
  parts.answer = (part) =>
    part === 1 ? Response.json({ detail: 'The library is read-only.' }, { status: 403 }) : undefined

  expect((await api.outbox.trashBoard(large, 'delete').outcome).failed).toHaveLength(1)

  expect(eventsOfParts().at(-1)).toEqual(['refused', 5000])
  expect(await namesOnServer()).toHaveLength(2)
  const refused = news.at(-1)
  if (refused?.kind === 'refused') refused.retry()
  await vi.waitFor(async () => expect(await idsOf()).toEqual([]), { timeout: 30_000 })
  await vi.waitFor(() => expect(eventsOfParts().at(-1)).toBe('taken'), { timeout: 30_000 })
  expect(api.journal.undoLast()).toBe(true)
  await isBack()
})

test('restores the parts before a refusal with Undo @long', async () => {
  const { large, parts } = treatAsLarge()
  parts.answer = (part) =>
    part === 1 ? Response.json({ detail: 'The library is read-only.' }, { status: 403 }) : undefined
  await api.outbox.trashBoard(large, 'delete').outcome

  expect(api.journal.undoLast()).toBe(true)

  await isBack()
})

test('continues a large board with the next part after a reconnect', async () => {
  const { large, parts } = treatAsLarge()
  parts.answer = (part) => {
    isAway = part === 1
    return undefined
  }
  const { outcome } = api.outbox.trashBoard(large, 'delete')
  await vi.waitFor(() => expect(parts.sent).toBe(2), { timeout: 30_000 })
  expect(eventsOfParts()).toEqual([
    ['in parts', 0],
    ['in parts', 5000],
  ])

  isAway = false
  api.outbox.worker.retryNow()

  expect((await outcome).failed).toEqual([])
  expect(eventsOfParts().slice(2)).toEqual([['in parts', 10_000], 'taken'])
  expect((await api.client.trash.list({ offset: 0, limit: 0 })).total).toBe(3)
})

test('reports the progress of Undo of a large board @long', async () => {
  const { large } = treatAsLarge()
  await api.outbox.trashBoard(large, 'delete').outcome
  const fetchOfPage = globalThis.fetch
  const restored = Promise.withResolvers<void>()
  globalThis.fetch = async (url, init) => {
    const isBoard = url === `/api/v1/boards/${board.board_id}`
    if (isBoard) return Response.json({ ...board, image_count: 7000 })
    if (url === '/api/v1/trash/restore') await restored.promise
    return fetchOfPage(url, init)
  }

  api.journal.undoLast()

  await vi.waitFor(() => expect(eventsOfParts().at(-1)).toEqual(['coming back', 7000]), {
    timeout: 30_000,
  })
  expect(news.at(-1)).toMatchObject({ count: 12_000, isOver: false })
  restored.resolve()
  await vi.waitFor(() => expect(eventsOfParts().at(-1)).toEqual(['coming back', 12_000]), {
    timeout: 30_000,
  })
  expect(news.at(-1)).toMatchObject({ isOver: true })
})

/** 12,000 image names, and a server that has these images. */
function takeMany(
  onTrash: (part: number) => Response | undefined = () => undefined,
  { failed = () => [], isSlow = false }: { failed?: () => string[]; isSlow?: boolean } = {},
) {
  const fetchOfPage = globalThis.fetch
  onTestFinished(() => {
    globalThis.fetch = fetchOfPage
  })
  const many = Array.from({ length: 12_000 }, (_, at) => `${at}.png`)
  const trashed: number[] = []
  const restored: number[] = []
  globalThis.fetch = async (url, init) => {
    const isTrash = url === '/api/v1/trash/images'
    if (!isTrash && url !== '/api/v1/trash/restore') return fetchOfPage(url, init)
    const { image_names } = JSON.parse(String(init?.body))
    // Slow changes are listed before they end.
    if (isSlow && isTrash)
      await vi.waitFor(() => expect(api.outbox.bulk.getState()).toHaveLength(1))
    const refused = isTrash ? onTrash(trashed.length) : undefined
    if (refused) return refused
    const failedNames = isTrash ? failed().filter((name) => image_names.includes(name)) : []
    const sizes = isTrash ? trashed : restored
    sizes.push(image_names.length)
    return Response.json({
      affected_boards: [],
      trashed_images: image_names,
      trashed_boards: [],
      restored_images: image_names,
      images_by_board: [],
      restored_boards: [],
      failed_images: failedNames,
    })
  }
  return { many, trashed, restored }
}

test('deletes a large selection in parts, and one Undo restores all of it', async () => {
  const { many, trashed, restored } = takeMany()

  await api.outbox.trash(many).outcome

  expect(trashed).toEqual([5000, 5000, 2000])
  const progress = [0, 5000, 10_000].map((doneCount) => ['in parts', doneCount])
  expect(eventsOfParts()).toEqual([...progress, 'taken'])
  expect(api.journal.undoLast()).toBe(true)
  const back = [0, 5000, 10_000, 12_000].map((doneCount) => ['coming back', doneCount])
  await vi.waitFor(() => expect(eventsOfParts().slice(4)).toEqual(back), { timeout: 30_000 })
  expect(restored).toEqual([5000, 5000, 2000])
})

test('sends no further part after Cancel, and restores the deleted images @long', async () => {
  const { many, trashed, restored } = takeMany((part) => {
    if (part === 1) step.undo()
    return undefined
  })
  const step = api.outbox.trash(many)

  await step.outcome

  const back = [0, 5000, 10_000].map((doneCount) => ['coming back', doneCount])
  await vi.waitFor(
    () => expect(eventsOfParts()).toEqual([['in parts', 0], ['in parts', 5000], ...back]),
    {
      timeout: 30_000,
    },
  )
  expect(trashed).toEqual([5000, 5000])
  expect(restored).toEqual([5000, 5000])
})

test('keeps the sent parts after Cancel in the list, and Undo restores only these', async () => {
  const { many, trashed, restored } = takeMany(
    (part) => {
      if (part === 1) api.outbox.bulk.cancel(api.outbox.bulk.getState()[0]?.id ?? 0)
      return undefined
    },
    { isSlow: true },
  )
  const step = api.outbox.trash(many)

  expect((await step.outcome).done).toHaveLength(10_000)

  expect(trashed).toEqual([5000, 5000])
  expect(api.outbox.bulk.getState()).toMatchObject([
    { state: 'ended', doneCount: 10_000, canceledCount: 2000, failed: [] },
  ])
  expect(api.journal.getState().at(-1)?.action.count).toBe(10_000)
  expect(api.journal.undoLast()).toBe(true)
  await vi.waitFor(() => expect(restored).toEqual([5000, 5000]), { timeout: 30_000 })
  expect(api.outbox.bulk.getState()).toEqual([])
})

test('sends no paused change on sign-out, also if few of its images are left', async () => {
  const { many, trashed } = takeMany(
    (part) => {
      if (part === 1) api.outbox.bulk.pause(api.outbox.bulk.getState()[0]?.id ?? 0)
      return undefined
    },
    { isSlow: true },
  )
  const { outcome } = api.outbox.trash(many.slice(0, 10_001))
  await vi.waitFor(() => expect(api.outbox.bulk.getState()[0]?.doneCount).toBe(10_000))

  await api.outbox.flush(1_000)

  expect((await outcome).failed).toEqual([{ name: '10000.png', reason: 'Canceled.' }])
  expect(trashed).toEqual([5000, 5000])
  api.outbox.bulk.clear()
  api.journal.undoLast()
})

test('lists refused images with their reasons, and Retry changes one or all of them', async () => {
  let refused = ['1.png', '2.png']
  const { many, trashed } = takeMany(() => undefined, { failed: () => refused })
  await api.outbox.trash(many).outcome
  const [listed] = api.outbox.bulk.getState()
  expect(listed).toMatchObject({
    state: 'ended',
    doneCount: 11_998,
    failed: refused.map((name) => ({ name, reason: 'It no longer exists.' })),
  })

  api.outbox.bulk.retry(listed?.id ?? 0, '1.png')
  await vi.waitFor(() => expect(trashed.at(-1)).toBe(1))
  await vi.waitFor(() => expect(api.outbox.bulk.getState()[0]?.failed).toHaveLength(2))
  refused = []
  api.outbox.bulk.retry(listed?.id ?? 0)

  await vi.waitFor(() => expect(api.outbox.bulk.getState()).toEqual([]))
  expect(trashed.at(-1)).toBe(2)
})

test('sends only refused images with Retry, and two Undos restore all @long', async () => {
  let isReadOnly = true
  const { many, trashed, restored } = takeMany((part) =>
    part === 1 && isReadOnly
      ? Response.json({ detail: 'The library is read-only.' }, { status: 403 })
      : undefined,
  )

  expect((await api.outbox.trash(many).outcome).failed).toHaveLength(7000)

  const refused = news.at(-1)
  isReadOnly = false
  if (refused?.kind === 'refused') refused.retry()
  await vi.waitFor(() => expect(eventsOfParts().at(-1)).toBe('taken'), { timeout: 30_000 })
  expect(trashed).toEqual([5000, 5000, 2000])
  expect([api.journal.undoLast(), api.journal.undoLast()]).toEqual([true, true])
  const sum = () => restored.reduce((all, size) => all + size, 0)
  await vi.waitFor(() => expect(sum()).toBeGreaterThanOrEqual(12_000), { timeout: 30_000 })
})

test('sends pending changes when the server is reachable again', async () => {
  isAway = true
  const { outcome } = api.outbox.move(names, 'none')
  await vi.waitFor(() => expect(news.map(({ kind }) => kind)).toEqual(['taken']), {
    timeout: 30_000,
  })
  expect(shown(onBoard())).toEqual([])
  isAway = false
  api.outbox.worker.retryNow()

  expect((await outcome).done).toHaveLength(3)
  expect(await namesOnServer('none')).toEqual(names.toSorted())
})

test('deletes nothing before the Undo window ends on a server without a trash', async () => {
  const before = await api.queryClient.fetchQuery(api.capabilities.query)
  api.queryClient.setQueryData(api.capabilities.query.queryKey, {
    ...before,
    extensions: [],
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  try {
    const step = api.outbox.trash(names.slice(0, 1))
    const gone = api.outbox.trash(names.slice(1, 2))
    await vi.advanceTimersByTimeAsync(UNDO_WINDOW_MS - 100)
    expect(sent).toEqual([])
    step.undo()
    await vi.advanceTimersByTimeAsync(200)
    vi.useRealTimers()
    await gone.outcome
  } finally {
    vi.useRealTimers()
  }

  expect(sent).toEqual(['POST /api/v1/images/delete'])
  expect(await namesOnServer()).toEqual([names[0] ?? '', names[2] ?? ''].toSorted())
})
