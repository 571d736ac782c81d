import Value from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventSchemas } from '#contract/events.ts'
import { graphOf } from '#testing/graph-of.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { failing, type QueueServer, reuseQueue, sum } from './queue-server.ts'

const getQueue = reuseQueue()
let server: QueueServer
beforeEach(async () => {
  server = await getQueue()
})
afterEach(() => {
  for (const { event, data } of server.recorded) {
    expect([event, Value.Errors(eventSchemas[event], data)]).toEqual([event, []])
  }
})

const started = ['batch_enqueued', 'queue_item_status_changed in_progress']
const ended = (status: string) => [
  `queue_item_status_changed ${status}`,
  `session_complete ${status}`,
]

test('emits one progress event for a saving node, and the start and end of the item', async () => {
  const { client } = server
  const { image_name } = await client.uploads.upload({ bytes: await drawFile('cat.png') })
  const graph = graphOf({ save: { type: 'save_image', image: { image_name } } })

  const [itemId] = await server.enqueue({ graph, origin: 'tests', destination: 'gallery' })
  await server.event('session_complete')

  expect(server.lines()).toEqual([
    ...started,
    'invocation_started save',
    'invocation_progress save',
    'invocation_complete save',
    ...ended('completed'),
  ])
  const item = await client.queue.item(itemId ?? 0)
  const [enqueued, begun, , progress, complete, done] = server.recorded.map(({ data }) => data)
  const ofItem = {
    queue_id: 'default',
    item_id: itemId,
    batch_id: item?.batch_id,
    session_id: item?.session_id,
    origin: 'tests',
    destination: 'gallery',
    user_id: 'system',
  }
  expect(enqueued).toMatchObject({ enqueued: 1, requested: 1, priority: 0, origin: 'tests' })
  expect(begun).toMatchObject({
    ...ofItem,
    status_sequence: 1,
    completed_at: null,
    batch_status: { in_progress: 1, total: 1 },
    queue_status: { item_id: itemId, in_progress: 1 },
  })
  expect(progress).toMatchObject({
    ...ofItem,
    message: 'Saving image',
    percentage: null,
    image: null,
  })
  const [[prepared, output] = []] = Object.entries(item?.session.results ?? {})
  expect(complete).toMatchObject({ ...ofItem, invocation: { id: prepared }, result: output })
  expect(done).toMatchObject({
    ...ofItem,
    status_sequence: 2,
    started_at: item?.started_at,
    completed_at: item?.completed_at,
    batch_status: { completed: 1, total: 1 },
    queue_status: { item_id: null, completed: 1 },
  })
})

test("emits the status of a failure before the node's error", async () => {
  await server.enqueue({ graph: failing })
  await server.event('session_complete')

  expect(server.lines()).toEqual([
    ...started,
    'invocation_started node',
    'queue_item_status_changed failed',
    'invocation_error node',
    'session_complete failed',
  ])
  const error = {
    error_type: 'MissingInputException',
    error_message: expect.any(String),
    error_traceback: expect.any(String),
  }
  expect(server.recorded[3]?.data).toMatchObject(error)
  expect(server.recorded[4]?.data).toMatchObject(error)
})

test('emits start and completion of a cached node with the same image, without progress', async () => {
  const graph = graphOf({ blank: { type: 'blank_image', width: 8, height: 8 } })
  const [first = 0] = await server.enqueue({ graph })
  await server.event('session_complete')
  server.forget()

  const [second = 0] = await server.enqueue({ graph })
  await server.event('session_complete')

  expect(server.lines()).toEqual([
    ...started,
    'invocation_started blank',
    'invocation_complete blank',
    ...ended('completed'),
  ])
  expect(await imageOf(second)).toBe(await imageOf(first))
})

test('emits nothing for an item after its cancellation', async () => {
  const itemId = await server.enqueueEndless()
  await server.client.queue.cancel(itemId)
  server.forget()

  await server.enqueue({ graph: sum })
  await server.event('session_complete', ({ status }) => status === 'completed')

  expect(server.lines()).toEqual([
    ...started,
    'invocation_started node',
    'invocation_complete node',
    ...ended('completed'),
  ])
  const item = await server.client.queue.item(itemId)
  expect(item).toMatchObject({ status: 'canceled', status_sequence: 2 })
  expect(Object.keys(item?.session.results ?? {})).not.toEqual([])
})

test('emits the status of a single canceled item, running or pending', async () => {
  const running = await server.enqueueEndless()
  const [waiting = 0] = await server.enqueue({ graph: sum })
  server.forget()

  for (const itemId of [waiting, running]) await server.client.queue.cancel(itemId)

  const events = server.recorded.filter(({ event }) => !event.startsWith('invocation'))
  expect(events).toMatchObject([
    { event: 'queue_item_status_changed', data: { item_id: waiting, status: 'canceled' } },
    { event: 'session_complete', data: { item_id: waiting, status: 'canceled' } },
    { event: 'queue_item_status_changed', data: { item_id: running, status: 'canceled' } },
    { event: 'session_complete', data: { item_id: running, status: 'canceled' } },
  ])
})

test('emits one event for canceled pending items and one for the running item', async () => {
  const running = await server.enqueueEndless({ batch_id: 'b' })
  const waiting = await server.enqueue({ graph: sum, batch_id: 'b', runs: 2 })
  server.forget()

  expect(await server.client.queue.cancelBatches(['b', 'unknown'])).toBe(3)

  const events = server.recorded.filter(({ event }) => !event.startsWith('invocation'))
  expect(events).toMatchObject([
    { event: 'queue_item_status_changed', data: { item_id: running, status: 'canceled' } },
    { event: 'session_complete', data: { item_id: running } },
    {
      event: 'queue_items_canceled',
      data: {
        canceled_item_ids: waiting,
        user_ids: ['system'],
        canceled_item_ids_by_user: { system: waiting },
      },
    },
    { event: 'session_complete', data: { item_id: waiting[0], status: 'canceled' } },
    { event: 'session_complete', data: { item_id: waiting[1], status: 'canceled' } },
  ])
  expect(await server.client.queue.cancelBatches(['b'])).toBe(0)
  expect(events.filter(({ event }) => event === 'queue_items_canceled')).toHaveLength(1)
})

test('cancels the running item and reports an empty queue when the queue is cleared', async () => {
  const running = await server.enqueueEndless()
  await server.enqueue({ graph: sum })
  server.forget()

  expect(await server.client.queue.clear()).toBe(2)

  expect(server.lines().filter((line) => !line.startsWith('invocation'))).toEqual([
    ...ended('canceled'),
    'queue_cleared',
    'session_complete canceled',
  ])
  expect(server.recorded).toContainEqual(
    expect.objectContaining({
      event: 'queue_cleared',
      data: expect.objectContaining({ queue_id: 'default', user_id: null }),
    }),
  )
  expect(await server.client.queue.item(running)).toBeNull()
  expect((await server.client.queue.status()).queue).toMatchObject({ total: 0, item_id: null })
})

test('retries items and emits the ids of the old items', async () => {
  const [itemId = 0] = await server.enqueue({ graph: failing })
  await server.event('session_complete')
  server.forget()

  expect(await server.client.queue.retry([itemId, 999])).toEqual([itemId])
  const { item_id } = await server.event('session_complete')

  expect(server.recorded[0]).toMatchObject({
    event: 'queue_items_retried',
    data: { retried_item_ids: [itemId], retried_item_ids_by_user: { system: [itemId] } },
  })
  expect(await server.client.queue.item(item_id)).toMatchObject({ retried_from_item_id: itemId })
})

test('stores the start and end of an item before it emits them', async () => {
  const seen: Promise<[emitted: string, known: string | undefined]>[] = []
  server.events.listen(({ event, data }) => {
    if (event !== 'queue_item_status_changed') return
    const known = server.client.queue.item(data.item_id)
    seen.push(known.then((item) => [data.status, item?.status]))
  })

  await server.enqueue({ graph: sum })
  await server.event('session_complete')

  const [start, end] = await Promise.all(seen)
  expect(start).not.toEqual(['in_progress', 'pending'])
  expect(end).toEqual(['completed', 'completed'])
})

const imageOf = async (itemId: number) => {
  const item = await server.client.queue.item(itemId)
  const [result] = Object.values(item?.session.results ?? {})
  return (result?.image as { image_name: string } | undefined)?.image_name
}
