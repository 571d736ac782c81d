import { describe, expect, it, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { FakeFetch, htmlPage, type Routes, refusal } from '#testing/fake-fetch.ts'

const connectTo = (routes: Routes) => {
  const server = new FakeFetch(routes)
  return { server, queue: connect({ baseUrl: 'http://invoke.test', fetch: server.fetch }).queue }
}

const item = { item_id: 7, status: 'completed', session_id: 's1', queue_id: 'default' }
const counts = { pending: 1, in_progress: 0, completed: 2, failed: 0, canceled: 0, total: 3 }
const gone = () => refusal(404, 'Queue item with id 8 not found in queue default')
const PATH = '/api/v1/queue/default'

describe('queue operations', () => {
  test.each([
    ['GET', 'current', null, (queue) => queue.current(), null],
    ['GET', 'next', item, (queue) => queue.next(), expect.objectContaining(item)],
    [
      'GET',
      'item_ids?order_dir=ASC',
      { item_ids: [1] },
      (q) => q.itemIds({ orderDir: 'ASC' }),
      [1],
    ],
    ['GET', 'b/b1/status', counts, (q) => q.batchStatus('b1'), { ...counts, waiting: 0 }],
    [
      'GET',
      'counts_by_destination?destination=canvas',
      { ...counts, waiting: 1 },
      (q) => q.destinationCounts('canvas'),
      { ...counts, waiting: 1 },
    ],
    ['DELETE', 'i/7', null, (q) => q.delete(7), true],
    [
      'PUT',
      'cancel_by_batch_ids {"batch_ids":["b1"]}',
      { canceled: 2 },
      (q) => q.cancelBatches(['b1']),
      2,
    ],
    [
      'PUT',
      'cancel_by_destination?destination=canvas',
      { canceled: 2 },
      (q) => q.cancelDestination('canvas'),
      2,
    ],
    ['PUT', 'cancel_all_except_current', { canceled: 2 }, (q) => q.cancelAllExceptCurrent(), 2],
    ['PUT', 'delete_all_except_current', { deleted: 2 }, (q) => q.deleteAllExceptCurrent(), 2],
    ['DELETE', 'd/canvas', { deleted: 2 }, (q) => q.deleteDestination('canvas'), 2],
    ['PUT', 'retry_items_by_id [7,8]', { retried_item_ids: [7] }, (q) => q.retry([7, 8]), [7]],
    ['PUT', 'clear', { deleted: 2 }, (q) => q.clear(), 2],
    ['PUT', 'prune', { deleted: 2 }, (q) => q.prune(), 2],
    ['PUT', 'processor/pause', { is_started: false }, (q) => q.pause(), { is_started: false }],
    ['PUT', 'processor/resume', { is_started: true }, (q) => q.resume(), { is_started: true }],
  ] as const satisfies readonly [string, string, unknown, (queue: Queue) => unknown, unknown][])(
    '%s %s',
    async (method, line, answer, call, result) => {
      const path = line.split(/[? ]/)[0]
      const { server, queue } = connectTo({ [`${method} ${PATH}/${path}`]: () => answer })

      expect(await call(queue)).toEqual(result)
      expect(server.lines).toEqual([`${method} ${PATH}/${line}`])
    },
  )

  it('reads many items in several requests and returns them in order', async () => {
    const { server, queue } = connectTo({
      [`POST ${PATH}/items_by_ids`]: ({ body }) =>
        (body as { item_ids: number[] }).item_ids.map((item_id) => ({ item_id })),
    })
    const ids = Array.from({ length: 2001 }, (_, at) => at)

    expect((await queue.items(ids)).map(({ item_id }) => item_id)).toEqual(ids)
    expect(server.lines).toHaveLength(3)
  })
})

type Queue = ReturnType<typeof connectTo>['queue']

describe('against InvokeAI', () => {
  it('fills in fields that an older server or a single item omits', async () => {
    const { queue } = connectTo({
      [`GET ${PATH}/i/7`]: () => item,
      [`GET ${PATH}/list_all`]: () => [item],
      [`GET ${PATH}/status`]: () => ({ queue: counts, processor: { is_started: true } }),
    })

    const filled = { ...item, device: null, workflow: null, parent_item_id: null }
    expect(await queue.item(7)).toMatchObject(filled)
    expect(await queue.list()).toMatchObject([filled])
    expect((await queue.status()).queue).toMatchObject({ waiting: 0, user_pending: null })
  })

  it('returns null for an item of another queue, which InvokeAI answers with 500', async () => {
    const detail = 'Unexpected error while fetching queue item: 404: Queue item with id 8 not found'
    const { queue } = connectTo({ [`GET ${PATH}/i/8`]: () => refusal(500, detail) })

    expect(await queue.item(8)).toBeNull()
  })

  it('throws other server errors', async () => {
    const { queue } = connectTo({ [`GET ${PATH}/i/8`]: () => refusal(500, 'database is locked') })

    await expect(queue.item(8)).rejects.toMatchObject({ status: 500 })
  })

  it('returns null or false for an unknown item', async () => {
    const { queue } = connectTo({
      [`PUT ${PATH}/i/8/cancel`]: gone,
      [`DELETE ${PATH}/i/8`]: gone,
      [`GET ${PATH}/i/8`]: gone,
      [`GET ${PATH}/session/s8`]: htmlPage,
      [`GET ${PATH}/list_all`]: () => [],
    })

    expect(await queue.cancel(8)).toBeNull()
    expect(await queue.delete(8)).toBe(false)
    expect(await queue.item(8)).toBeNull()
    expect(await queue.session('s8')).toBeNull()
  })
})
