import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { MAX_PENDING_ITEMS } from '#contract/queue/queue.ts'
import { copyImages } from '#gallery/api/copy-images.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { enqueueAll } from './process-work.ts'
import type { WorkEvent } from './work-events.ts'

const api = testGalleryApi()

const fetchOfNode = globalThis.fetch
let server: RunningServer
let news: WorkEvent[]

beforeAll(async () => {
  server = await startServer()
  globalThis.fetch = (url, init) => fetchOfNode(new URL(String(url), server.url), init)
  api.workEvents.add((one) => news.push(one))
})

afterAll(async () => {
  globalThis.fetch = fetchOfNode
  await server.close()
})

beforeEach(async () => {
  news = []
  await api.client.queue.pause()
})

const integers = (from: number, to: number) => {
  const items = Array.from({ length: to - from }, (_, index) => from + index)
  const node = { id: 'n', type: 'integer' }
  return {
    graph: { id: 'g', nodes: { n: node }, edges: [] },
    data: [[{ node_path: 'n', field_name: 'value', items }]],
  }
}

const valuesOf = async (itemIds: readonly number[]) =>
  (await api.client.queue.items(itemIds)).map(({ field_values }) => field_values?.[0]?.value)

test('enqueues the rest when a full queue has room again @long', async () => {
  const count = MAX_PENDING_ITEMS + 2
  const action = { kind: 'process', count, boardName: 'Castles' } as const

  const work = await enqueueAll(api, action, [], integers)
  expect(work.itemIds).toHaveLength(MAX_PENDING_ITEMS)
  await api.client.queue.cancelBatches(work.batchIds)
  await work.enqueued

  expect(await valuesOf(work.itemIds.slice(MAX_PENDING_ITEMS))).toEqual([count - 1, count - 2])
  await api.client.queue.clear()
}, 60_000)

test('cancels waiting items with Undo before an image is created', async () => {
  const image = await api.client.uploads.upload({
    bytes: await drawFile('a.png'),
    fileName: 'a.png',
  })
  const names = () => Promise.resolve([image.image_name])

  await copyImages(api, { count: 1, names }, 'none')
  api.journal.undoLast()

  await vi.waitFor(() => expect(news.at(-1)).toMatchObject({ kind: 'undone', imageCount: 0 }), {
    timeout: 30_000,
  })
  expect((await api.client.queue.status()).queue).toMatchObject({ pending: 0, canceled: 1 })
})

test('reports a refusal with its reason and offers Retry', async () => {
  const names = vi
    .fn<() => Promise<string[]>>()
    .mockRejectedValueOnce(new Error('No answer.'))
    .mockResolvedValue(['a.png'])

  await copyImages(api, { count: 1, names }, 'none')
  const [refused] = news
  if (refused?.kind !== 'refused') throw new Error('It was not refused.')
  expect(refused.reason).toBe('No answer.')
  refused.retry()

  await vi.waitFor(() => expect(news.at(-1)).toMatchObject({ kind: 'taken' }), { timeout: 30_000 })
})
