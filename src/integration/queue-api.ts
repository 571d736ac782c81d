import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { EnqueueBatchResult, QueueItem } from '#contract/queue/queue.ts'
import { type Answer, type Api, openApi } from './open-api.ts'
import { sum } from './queue-server.ts'

/** The HTTP API of the queue `default`. The queue is empty and paused before each test, so new items wait. */
export interface QueueApi {
  api(): Api
  /** Sends a request. `path` is relative to the queue. */
  send(method: string, path: string, json?: unknown): Promise<Answer>
  enqueue(batch?: object, more?: object): Promise<EnqueueBatchResult>
  listed(query?: string): Promise<QueueItem[]>
  /** Runs all items to their end. */
  runAll(): Promise<void>
}

/** Shares one server between the tests of a file. */
export function shareQueueApi(): QueueApi {
  let api: Api
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())
  beforeEach(() => send('PUT', 'processor/pause'))
  afterEach(() => send('PUT', 'clear'))

  const send: QueueApi['send'] = (method, path, json) =>
    api.send(method, `/api/v1/queue/default/${path}`, json === undefined ? {} : { json })
  return {
    api: () => api,
    send,
    enqueue: async (batch = {}, more = {}) => {
      const body = { batch: { graph: sum, ...batch }, ...more }
      const answer = await send('POST', 'enqueue_batch', body)
      expect(answer.status).toBe(200)
      return answer.body as EnqueueBatchResult
    },
    listed: async (query = '') => (await send('GET', `list_all${query}`)).body as QueueItem[],
    runAll: async () => {
      await send('PUT', 'processor/resume')
      await expect
        .poll(() => send('GET', 'status'), { timeout: 20_000 })
        .toMatchObject({ body: { queue: { pending: 0, in_progress: 0 } } })
    },
  }
}
