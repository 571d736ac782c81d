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
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import type { OutboxEvent } from './outbox-events.ts'
import type { ImageRule } from './rule-steps.ts'

const api = testGalleryApi()

const all: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }
const assets: ImageView = { ...all, boardId: 'none' }

const fetchOfNode = globalThis.fetch
let server: RunningServer
let boardId: string
/** Images of Assets, newest first. */
let names: string[]
let news: OutboxEvent[]
let stopNews: () => void

beforeAll(async () => {
  server = await startServer()
  globalThis.fetch = (url, init) => fetchOfNode(new URL(String(url), server.url), init)
})

afterAll(async () => {
  globalThis.fetch = fetchOfNode
  await server.close()
})

beforeEach(async () => {
  boardId = (await api.client.boardOperations.create('Portraits')).board_id
  names = []
  for (const fileName of ['a.png', 'b.png', 'c.png']) {
    const image = await api.client.uploads.upload({
      bytes: await drawFile(fileName),
      fileName,
    })
    names.unshift(image.image_name)
  }
  await api.queryClient.fetchQuery(api.capabilities.query)
  await api.queryClient.fetchQuery(api.boardQueries.list())
  await api.queryClient.fetchQuery(api.boardQueries.uncategorizedCount())
  for (const view of [all, assets])
    await api.queryClient.fetchQuery(api.imageQueries.window(view, 0))
  news = []
  stopNews = api.outbox.events.add((one) => news.push(one))
})

afterEach(async () => {
  stopNews()
  await api.client.boardOperations.delete(boardId, { includeImages: true })
  await api.client.images.deleteUncategorized()
  await api.client.trash.empty()
  api.queryClient.clear()
})

/** Returns a rule for all images of Assets except the second. `come` loads their names, and `fail` refuses them. */
function allButTheSecond() {
  const answer = Promise.withResolvers<readonly string[]>()
  const rule: ImageRule = {
    view: assets,
    noun: 'image',
    positions: [0, 2],
    names: () => answer.promise,
  }
  const come = () => answer.resolve([names[0] ?? '', names[2] ?? ''])
  return { rule, come, fail: () => answer.reject(new Error('No answer.')) }
}

const shown = (view: ImageView) =>
  api.queryClient
    .getQueryData(api.imageQueries.window(view, 0).queryKey)
    ?.items.map((image) => image?.image_name)

const counts = () => [
  api.queryClient.getQueryData(api.boardQueries.uncategorizedCount().queryKey),
  api.queryClient.getQueryData(api.boardQueries.list().queryKey)?.[0]?.image_count,
]

const kinds = () => news.map(({ kind }) => kind)

test('shows a move by rule in view and counts before the names are known', async () => {
  const { rule, come } = allButTheSecond()

  const { outcome } = api.outbox.move(rule, boardId)

  expect(shown(assets)).toEqual([names[1]])
  expect(shown(all)).toEqual(names)
  expect(counts()).toEqual([1, 2])
  come()
  expect((await outcome).done).toHaveLength(2)
  expect(shown(assets)).toEqual([names[1]])
  expect(counts()).toEqual([1, 2])
  expect(await api.client.boardOperations.imageNames(boardId)).toHaveLength(2)
  expect(kinds()).toEqual(['taken'])
})

test('hides the removed images in answers that arrive before the names', async () => {
  const { rule, come } = allButTheSecond()
  const { outcome } = api.outbox.move(rule, boardId)

  const answer = api.queryClient.fetchQuery({
    ...api.imageQueries.window(assets, 0),
    staleTime: 0,
  })
  come()

  expect((await answer).items.map((image) => image?.image_name)).toEqual([names[1]])
  expect((await answer).total).toBe(1)
  await outcome // it would hide images of the next test
})

test('shows stars by rule at once, and Undo removes them later', async () => {
  const { rule, come } = allButTheSecond()
  const stars = () =>
    api.queryClient
      .getQueryData(api.imageQueries.window(all, 0).queryKey)
      ?.items.map((one) => one?.starred)

  const { outcome } = api.outbox.star(rule, true)
  expect(stars()).toEqual([true, false, true])
  come()
  await outcome
  expect(stars()).toEqual([true, false, true])
  api.journal.undoLast()

  expect(stars()).toEqual([false, false, false])
  await vi.waitFor(
    async () =>
      expect((await api.client.images.getMany(names)).some(({ starred }) => starred)).toBe(false),
    { timeout: 30_000 },
  )
  await vi.waitFor(() => expect(kinds()).toEqual(['taken', 'undone']), { timeout: 30_000 })
})

test('sends many images by rule in parts, with one message', async () => {
  const fetchOfPage = globalThis.fetch
  onTestFinished(() => {
    globalThis.fetch = fetchOfPage
  })
  const sizes: number[] = []
  globalThis.fetch = async (url, init) => {
    if (url !== '/api/v1/trash/images') return fetchOfPage(url, init)
    const { image_names } = JSON.parse(String(init?.body))
    sizes.push(image_names.length)
    const none = { affected_boards: [], trashed_boards: [], failed_images: [] }
    return Response.json({ ...none, trashed_images: image_names })
  }
  const positions = Array.from({ length: 6000 }, (_, at) => at)
  const rule = {
    view: assets,
    noun: 'image' as const,
    positions,
    names: async () => positions.map((at) => `${at}.png`),
  }

  await api.outbox.trash(rule).outcome

  expect(sizes).toEqual([5000, 1000])
  // A change that takes half a second is listed, which repeats the latest message.
  const counts = news.map((one) => (one.kind === 'in parts' ? one.doneCount : one.kind))
  expect([...new Set(counts)]).toEqual([0, 5000, 'taken'])
  expect(new Set(news.map(({ action }) => action)).size).toBe(1)
})

test('sends nothing if undone before the names are known', async () => {
  const { rule, come } = allButTheSecond()
  const { outcome } = api.outbox.trash(rule)
  expect(shown(all)).toEqual([names[1]])

  api.journal.undoLast()
  come()

  expect((await outcome).done).toEqual([])
  expect(shown(all)).toEqual(names)
  expect(counts()).toEqual([3, 0])
  expect((await api.client.trash.list({ offset: 0, limit: 10 })).total).toBe(0)
})

test('rolls back and offers Retry if the names cannot be loaded', async () => {
  const failing = allButTheSecond()
  const { outcome } = api.outbox.move(failing.rule, boardId)

  failing.fail()
  await outcome

  expect(shown(assets)).toEqual(names)
  expect(counts()).toEqual([3, 0])
  expect(news.at(-1)).toMatchObject({ kind: 'unnamed', reason: 'No answer.' })
})

test('does not move images that are already on the board', async () => {
  api.outbox.move(allButTheSecond().rule, 'none')

  expect(shown(assets)).toEqual(names)
  expect(kinds()).toEqual(['nothing'])
})
