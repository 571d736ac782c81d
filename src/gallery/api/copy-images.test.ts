import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ImageRecord } from '#client/index.ts'
import type { WorkEvent } from '#gallery/api/process/work-events.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { copyBatch, copyImages } from './copy-images.ts'

const api = testGalleryApi()

const fetchOfNode = globalThis.fetch
let server: RunningServer
let news: WorkEvent[]

beforeAll(async () => {
  server = await startServer()
  globalThis.fetch = (url, init) => fetchOfNode(new URL(String(url), server.url), init)
  vi.stubGlobal('document', { visibilityState: 'visible' })
  await api.queryClient.fetchQuery(api.capabilities.query)
  api.workEvents.add((one) => news.push(one))
})

afterAll(async () => {
  vi.unstubAllGlobals()
  globalThis.fetch = fetchOfNode
  api.queryClient.clear()
  await server.close()
})

beforeEach(() => {
  news = []
})

const upload = async (fileName: string): Promise<ImageRecord> => {
  server.clock.advance(1000)
  return api.client.uploads.upload({ bytes: await drawFile(fileName), fileName })
}

const chosen = (images: readonly string[]) => ({
  count: images.length,
  names: () => Promise.resolve(images),
})

const namesOn = async (boardId: string) =>
  (await api.client.images.page({ boardId }, { offset: 0, limit: -1 })).items.map(
    ({ file_name }) => file_name,
  )

test('copies in the order of the view, Undo deletes the copies, and Redo restores them', async () => {
  const board = await api.client.boards.createBoard('Castles')
  const oldest = await upload('oldest.png')
  const newest = await upload('newest.png')

  await copyImages(api, chosen([newest.image_name, oldest.image_name]), board.boardId)

  expect(await namesOn(board.boardId)).toEqual(['newest.png', 'oldest.png'])
  expect(news.map(({ kind }) => kind)).toEqual(['copying', 'copied'])
  api.journal.undoLast()
  await vi.waitFor(async () => expect(await namesOn(board.boardId)).toEqual([]))
  expect((await api.client.images.get(newest.image_name))?.deleted_at).toBeNull()
  api.journal.redoLast()
  await vi.waitFor(async () =>
    expect(await namesOn(board.boardId)).toEqual(['newest.png', 'oldest.png']),
  )
})

test('reports missing images and copies the others', async () => {
  const board = await api.client.boards.createBoard('Rest')
  const { image_name } = await upload('there.png')

  await copyImages(api, chosen([image_name, 'gone.png']), board.boardId)

  expect(await namesOn(board.boardId)).toEqual(['there.png'])
  expect(news[1]).toMatchObject({ kind: 'copied', copiedCount: 1 })
  expect(news[2]).toMatchObject({ kind: 'refused', action: { count: 1 } })
})

test('stops after the current part on Cancel', async () => {
  const board = await api.client.boards.createBoard('Many')
  const { image_name } = await upload('first.png')
  const many = [...Array.from({ length: 5_000 }, (_, at) => `${at}.png`), image_name]
  const stop = api.workEvents.add((one) => one.kind === 'copying' && one.cancel())

  await copyImages(api, chosen(many), board.boardId)
  stop()

  expect(news.filter(({ kind }) => kind === 'copying')).toHaveLength(1)
  expect(await namesOn(board.boardId)).toEqual(['first.png'])
})

test('reports a deleted board and copies nothing', async () => {
  const { image_name } = await upload('stays.png')

  await copyImages(api, chosen([image_name]), 'deleted')

  expect(news.at(-1)).toMatchObject({
    kind: 'refused',
    action: { count: 1 },
    reason: 'Board not found',
  })
})

test('copies through the queue with metadata without the extension', async () => {
  const board = await api.client.boards.createBoard('Queued')
  const { image_name } = await upload('queued.png')

  const { item_ids } = await api.client.queue.enqueue(
    copyBatch([image_name], board.boardId, 'Queued'),
  )

  await vi.waitFor(async () => {
    const [item] = await api.client.queue.items(item_ids)
    expect(item?.status).toBe('completed')
  }, 30_000)
  const [copy] = (
    await api.client.images.page({ boardId: board.boardId }, { offset: 0, limit: -1 })
  ).items
  const metadata = await api.client.images.metadata(copy?.image_name ?? '')
  const original = await api.client.images.metadata(image_name)
  expect(original?.prompt).toEqual(expect.any(String))
  expect(metadata).toMatchObject({ prompt: original?.prompt, seed: original?.seed })
})
