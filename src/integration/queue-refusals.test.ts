import { expect, test } from 'vitest'
import { graphOf } from '#testing/graph-of.ts'
import { shareQueueApi } from './queue-api.ts'
import { sum } from './queue-server.ts'

const queue = shareQueueApi()
const { send, enqueue, listed } = queue

test.each([
  ['GET', 'i/9999', 'id 9999'],
  ['PUT', 'i/9999/cancel', 'id 9999'],
  ['DELETE', 'i/9999', 'id 9999'],
  ['GET', 'session/nothing', 'session id nothing'],
])('answers 404 for %s %s', async (method, path, what) => {
  expect(await send(method, path)).toMatchObject({
    status: 404,
    body: { detail: `Queue item with ${what} not found in queue default` },
  })
})

test('does not find or change an item of another queue', async () => {
  const { item_ids } = await enqueue()
  const path = `/api/v1/queue/other/i/${item_ids[0]}`

  for (const [method, tail] of [
    ['GET', ''],
    ['PUT', '/cancel'],
    ['DELETE', ''],
  ] as const) {
    expect(await queue.api().send(method, path + tail)).toMatchObject({
      status: 404,
      body: { detail: `Queue item with id ${item_ids[0]} not found in queue other` },
    })
  }
  expect((await queue.api().send('PUT', '/api/v1/queue/other/clear')).body).toEqual({ deleted: 0 })
  expect((await send('GET', `i/${item_ids[0]}`)).body).toMatchObject({ status: 'pending' })
})

test.each(['x', '1.5', '', '99999999999999999999'])('rejects the item id %j', async (itemId) => {
  const { status, body } = await send('PUT', `i/${itemId}/cancel`)
  expect(status).toBe(422)
  expect(body).toMatchObject({ detail: [{ type: 'int_parsing', loc: ['path', 'item_id'] }] })
})

const datum = (own: object) => ({ node_path: 'node', field_name: 'a', items: [1], ...own })
const cycle = graphOf({ a: { type: 'add' }, b: { type: 'add' } }, [
  'a.value -> b.a',
  'b.value -> a.a',
])

test.each([
  [{ graph: undefined }, ['graph'], 'missing', 'Field required'],
  [{ graph: 'x' }, ['graph'], 'model_attributes_type', 'valid dictionary'],
  [{ graph: cycle }, ['graph'], 'value_error', 'Value error, Graph contains cycles'],
  [{ runs: 0 }, ['runs'], 'greater_than_equal', 'greater than or equal to 1'],
  [{ runs: 1.5 }, ['runs'], 'int_from_float', 'fractional'],
  [{ batch_id: 5 }, ['batch_id'], 'string_type', 'valid string'],
  [{ data: {} }, ['data'], 'list_type', 'valid list'],
  [{ data: [[{ field_name: 'a' }]] }, ['data', 0, 0, 'node_path'], 'missing', 'Field required'],
  [{ workflow: { name: 'half' } }, ['workflow', 'author'], 'missing', 'Field required'],
  [
    { data: [[datum({}), datum({ field_name: 'b', items: [1, 2] })]] },
    ['data'],
    'value_error',
    'Value error, Zipped batch items must all have the same length',
  ],
  [
    { data: [[datum({ items: [1, 'x'] })]] },
    ['data'],
    'value_error',
    'Value error, All items in a batch must have the same type',
  ],
  [
    { data: [[datum({})], [datum({})]] },
    ['data'],
    'value_error',
    'Value error, Each batch data must have unique node_id and field_name',
  ],
  [
    { data: [[datum({ node_path: 'z' })]] },
    [],
    'value_error',
    'Value error, Node z not found in graph',
  ],
  [
    { data: [[datum({ field_name: 'z' })]] },
    [],
    'value_error',
    'Value error, Field z not found in node node',
  ],
])('rejects the batch %j', async (batch, loc, type, words) => {
  const answer = await send('POST', 'enqueue_batch', { batch: { graph: sum, ...batch } })

  expect(answer.status).toBe(422)
  expect((answer.body as { detail: unknown[] }).detail).toContainEqual(
    expect.objectContaining({
      type,
      loc: ['body', 'batch', ...loc],
      msg: expect.stringContaining(words),
    }),
  )
  expect((await send('GET', 'status')).body).toMatchObject({ queue: { total: 0 } })
})

test.each([
  [[], 1],
  [[[]], 0],
  [[[datum({ items: [] })]], 0],
  [[[datum({ items: [1, 2] })], [datum({ field_name: 'b', items: [1, 2, 3] })]], 6],
])('expands the data %j to %i items', async (data, count) => {
  expect(await enqueue({ data })).toMatchObject({ requested: count, enqueued: count })
})

test('accepts at most ten thousand pending items and drops the rest @long', async () => {
  expect(await enqueue({ runs: 9_999 })).toMatchObject({ requested: 9_999, enqueued: 9_999 })
  expect(await enqueue({ runs: 3 })).toMatchObject({ requested: 3, enqueued: 1 })
  expect((await enqueue()).item_ids).toEqual([])
  expect(await listed()).toHaveLength(10_000)
  expect((await send('PUT', 'cancel_all_except_current')).body).toEqual({ canceled: 10_000 })
}, 60_000)

test.each([
  ['PUT', 'clear'],
  ['PUT', 'prune'],
  ['PUT', 'cancel_all_except_current'],
  ['PUT', 'delete_all_except_current'],
  ['PUT', 'processor/pause'],
  ['DELETE', 'd/canvas'],
  ['GET', 'status'],
  ['GET', 'current/'],
  ['PUT', 'clear/'],
])('accepts an empty JSON body and a trailing slash for %s %s', async (method, path) => {
  const headers = { 'content-type': 'application/json' }
  expect(
    (await queue.api().send(method, `/api/v1/queue/default/${path}`, { headers })).status,
  ).toBe(200)
})

test('does not cancel an item by DELETE', async () => {
  expect((await send('DELETE', 'i/1/cancel')).status).toBe(405)
})
