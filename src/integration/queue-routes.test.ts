import { expect, test } from 'vitest'
import type { QueueItem } from '#contract/queue/queue.ts'
import { graphOf } from '#testing/graph-of.ts'
import { shareQueueApi } from './queue-api.ts'

const queue = shareQueueApi()
const { send, enqueue, listed, runAll } = queue

const noCounts = { pending: 0, in_progress: 0, waiting: 0, completed: 0, failed: 0, canceled: 0 }

test('returns a batch with its defaults and its items newest first', async () => {
  const result = await enqueue({ runs: 2, destination: 'canvas' })

  const [newest = 0] = result.item_ids
  expect(result).toEqual({
    queue_id: 'default',
    enqueued: 2,
    requested: 2,
    priority: 0,
    item_ids: [newest, newest - 1],
    batch: {
      batch_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      origin: null,
      destination: 'canvas',
      data: null,
      graph: {
        id: 'graph',
        nodes: {
          node: { id: 'node', type: 'add', a: 1, b: 2, is_intermediate: false, use_cache: false },
        },
        edges: [],
      },
      workflow: null,
      runs: 2,
    },
  })
  expect((await enqueue({}, { prepend: true })).priority).toBe(1)
})

test('returns the core_metadata fields of InvokeAI 6.14', async () => {
  const graph = { id: 'g', nodes: { m: { id: 'm', type: 'core_metadata' } }, edges: [] }

  const { batch } = await enqueue({ graph })

  const fields = { qwen3_encoder: null, mistral_encoder: null, ideogram4_caption: null }
  expect(batch.graph.nodes).toMatchObject({ m: fields })
})

test('returns all fields of an item, and a single item without null fields', async () => {
  const workflow = {
    ...{ name: 'w', author: '', description: '', version: '1', contact: '', tags: '', notes: '' },
    ...{ exposedFields: [], meta: { version: '3.0.0' }, nodes: [], edges: [], form: { own: 1 } },
  }
  const data = [[{ node_path: 'node', field_name: 'a', items: [40] }]]
  const { item_ids, batch } = await enqueue({ data, workflow })

  const [item] = await listed()
  expect(item).toMatchObject({
    item_id: item_ids[0],
    batch_id: batch.batch_id,
    status: 'pending',
    status_sequence: 0,
    user_id: 'system',
    user_email: 'system@system.invokeai',
    device: null,
    started_at: null,
    error_type: null,
    retried_from_item_id: null,
    field_values: [{ node_path: 'node', field_name: 'a', value: 40 }],
    workflow,
    session: {
      graph: { nodes: { node: { a: 40, b: 2 } } },
      results: {},
      workflow_call_parent: null,
    },
  })
  await runAll()
  const alone = (await send('GET', `i/${item_ids[0]}`)).body as QueueItem
  expect(alone).toMatchObject({ status: 'completed', device: 'cpu', status_sequence: 2 })
  expect(Object.values(alone.session.results)).toEqual([{ type: 'integer_output', value: 42 }])
  expect(JSON.stringify(alone)).not.toContain('null')
  const bySession = await send('GET', `session/${alone.session_id}`)
  expect(bySession).toMatchObject({ status: 200, body: alone })
  expect((await listed())[0]).toMatchObject(alone)
  expect(Object.values((await listed())[0]?.session.results ?? {})).toEqual([
    { type: 'integer_output', value: 42, output_meta: null },
  ])
})

test('returns the current and the next item, or null', async () => {
  expect(await send('GET', 'current')).toMatchObject({ status: 200, body: null })
  expect(await send('GET', 'next')).toMatchObject({ status: 200, body: null })
  await enqueue()
  const { item_ids } = await enqueue({}, { prepend: true })

  expect((await send('GET', 'next')).body).toMatchObject({ item_id: item_ids[0], priority: 1 })
})

test('lists items in the order of execution and ids by age', async () => {
  const first = await enqueue({ destination: 'canvas' })
  const second = await enqueue({}, { prepend: true })
  const [a = 0, b = 0] = [first.item_ids[0], second.item_ids[0]]

  expect((await listed()).map(({ item_id }) => item_id)).toEqual([b, a])
  expect((await listed('?destination=canvas')).map(({ item_id }) => item_id)).toEqual([a])
  expect((await send('GET', 'item_ids')).body).toEqual({ item_ids: [b, a], total_count: 2 })
  expect((await send('GET', 'item_ids?order_dir=ASC')).body).toMatchObject({ item_ids: [a, b] })
  const ids = { item_ids: [a, 9_999, b, a] }
  const whole = (await send('POST', 'items_by_ids', ids)).body as QueueItem[]
  const short = (await send('POST', 'item_summaries_by_ids', ids)).body as QueueItem[]
  expect(whole.map(({ item_id }) => item_id)).toEqual([a, b, a])
  expect(short[0]).toEqual({
    item_id: a,
    created_at: whole[0]?.created_at,
    status: 'pending',
    device: null,
    started_at: null,
    completed_at: null,
    origin: null,
    destination: 'canvas',
    batch_id: first.batch.batch_id,
    user_id: 'system',
    user_display_name: 'System',
    user_email: 'system@system.invokeai',
    field_values: [],
    parent_item_id: null,
  })
})

test('accepts at most a thousand items in one request', async () => {
  const item_ids = Array.from({ length: 1001 }, (_, at) => at)

  expect((await send('POST', 'items_by_ids', { item_ids: item_ids.slice(1) })).status).toBe(200)
  expect(await send('POST', 'items_by_ids', { item_ids })).toMatchObject({
    status: 422,
    body: { detail: [{ type: 'too_long', loc: ['body', 'item_ids'] }] },
  })
})

test('returns counts by queue, batch and destination', async () => {
  const { batch } = await enqueue({ runs: 2, destination: 'canvas', origin: 'me' })
  const counts = { ...noCounts, pending: 2, total: 2 }

  expect((await send('GET', 'status')).body).toEqual({
    queue: {
      queue_id: 'default',
      item_id: null,
      batch_id: null,
      session_id: null,
      ...counts,
      user_pending: 2,
      user_in_progress: 0,
    },
    processor: { is_started: false, is_processing: false },
  })
  const ofBatch = {
    queue_id: 'default',
    batch_id: batch.batch_id,
    origin: 'me',
    destination: 'canvas',
  }
  expect((await send('GET', `b/${batch.batch_id}/status`)).body).toEqual({ ...ofBatch, ...counts })
  expect((await send('GET', 'counts_by_destination?destination=canvas')).body).toEqual({
    queue_id: 'default',
    destination: 'canvas',
    ...counts,
  })
  expect((await send('GET', 'b/unknown/status')).body).toMatchObject({ ...noCounts, total: 0 })
})

test('cancels items by id, batch and destination, and all pending ones', async () => {
  const batches = ['one', 'two', 'three', 'four'].map((batch_id) =>
    enqueue({ batch_id, destination: batch_id }),
  )
  const [one] = await Promise.all(batches)
  const itemId = one?.item_ids[0]

  const canceled = await send('PUT', `i/${itemId}/cancel`)
  expect(canceled).toMatchObject({ status: 200, body: { status: 'canceled', error_type: null } })
  const { session: _, ...fields } = canceled.body as QueueItem
  expect((await send('PUT', `i/${itemId}/cancel`)).body).toMatchObject(fields)
  expect((await send('PUT', 'cancel_by_batch_ids', { batch_ids: ['one', 'two'] })).body).toEqual({
    canceled: 1,
  })
  expect((await send('PUT', 'cancel_by_destination?destination=three')).body).toEqual({
    canceled: 1,
  })
  expect((await send('PUT', 'cancel_all_except_current')).body).toEqual({ canceled: 1 })
  expect((await send('GET', 'status')).body).toMatchObject({ queue: { canceled: 4, total: 4 } })
})

test('deletes items by id and destination, pending ones, ended ones, and all', async () => {
  const { item_ids } = await enqueue({ runs: 2 })
  await enqueue({ destination: 'canvas', runs: 2 })

  expect(await send('DELETE', `i/${item_ids[0]}`)).toMatchObject({ status: 200, body: null })
  expect((await send('GET', `i/${item_ids[0]}`)).status).toBe(404)
  expect((await send('DELETE', 'd/canvas')).body).toEqual({ deleted: 2 })
  await send('PUT', `i/${item_ids[1]}/cancel`)
  await enqueue({ runs: 3 })
  expect((await send('PUT', 'prune')).body).toEqual({ deleted: 1 })
  expect((await send('PUT', 'delete_all_except_current')).body).toEqual({ deleted: 3 })
  await enqueue()
  expect((await send('PUT', 'clear')).body).toEqual({ deleted: 1 })
  expect((await send('GET', 'status')).body).toMatchObject({ queue: { ...noCounts, total: 0 } })
})

test('retries a canceled item as a new one, but not a pending item', async () => {
  const { item_ids } = await enqueue({ runs: 2 })
  await send('PUT', `i/${item_ids[0]}/cancel`)

  expect((await send('PUT', 'retry_items_by_id', [...item_ids, 9_999])).body).toEqual({
    queue_id: 'default',
    retried_item_ids: [item_ids[0]],
  })
  expect((await listed()).at(-1)).toMatchObject({
    retried_from_item_id: item_ids[0],
    status: 'pending',
  })
})

test('starts no item while the processor is paused', async () => {
  expect((await send('PUT', 'processor/pause')).body).toEqual({
    is_started: false,
    is_processing: false,
  })
  const { item_ids } = await enqueue()

  expect((await send('PUT', 'processor/resume')).body).toMatchObject({ is_started: true })
  await runAll()
  expect((await send('GET', `i/${item_ids[0]}`)).body).toMatchObject({ status: 'completed' })
})

test('reports, disables, enables and clears the invocation cache', async () => {
  const cache = (method: string, path: string) =>
    queue.api().send(method, `/api/v1/app/invocation_cache${path}`)
  const cached = graphOf({ node: { type: 'add', a: 7, b: 8 } })
  await enqueue({ graph: cached, runs: 2 })
  await runAll()

  expect(await cache('GET', '/status')).toMatchObject({
    status: 200,
    body: { size: 1, hits: 1, misses: 1, enabled: true, max_size: 512 },
  })
  expect(await cache('PUT', '/disable')).toMatchObject({ status: 200, body: null })
  expect((await cache('GET', '/status')).body).toMatchObject({ enabled: false })
  expect(await cache('PUT', '/enable')).toMatchObject({ status: 200, body: null })
  expect(await cache('DELETE', '')).toMatchObject({ status: 200, body: null })
  expect((await cache('GET', '/status')).body).toMatchObject({ enabled: true, size: 0 })
})
