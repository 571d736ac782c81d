import { expect, it } from 'vitest'
import type { Clock } from '#server/core/clock.ts'
import type { ItemEnd, NewBatch, PlaceInOrder, WhichItems } from '#server/core/queue/queue-ports.ts'
import type { Records } from '#server/core/record-ports.ts'

/** Tests that every implementation of `QueueRecords` must pass. `open` returns a library with empty queues. */
export const testQueue = (open: (clock?: Clock) => Promise<Records>): void => {
  const openQueue = async (clock?: Clock) => (await open(clock)).queue
  const idsIn = async (queue: Records['queue'], which: WhichItems, queueId = 'default') =>
    (await queue.items(queueId, which)).items.map(({ item_id }) => item_id)

  it('stores every field of an item, and the shared data of a batch once', async () => {
    const queue = await openQueue(() => Date.UTC(2026, 10, 22, 1, 2, 3, 4))
    const value = { node_path: 'n', field_name: 'value', value: [1, { image_name: 'a.png' }] }
    const { itemIds } = await queue.add(
      newBatch({
        origin: 'tests',
        destination: 'canvas',
        workflow: '{}',
        fieldValues: [[value], [value]],
      }),
    )

    const { items, batches } = await queue.items('default', { itemIds })

    expect(batches).toEqual([{ batch: items[0]?.batch, graph: newBatch().graph, workflow: '{}' }])
    expect(items[1]).toEqual({
      item_id: itemIds[1],
      queue_id: 'default',
      status: 'pending',
      status_sequence: 0,
      priority: 0,
      batch_id: 'batch',
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      origin: 'tests',
      destination: 'canvas',
      error_type: null,
      error_message: null,
      error_traceback: null,
      created_at: '2026-11-22 01:02:03.004',
      updated_at: '2026-11-22 01:02:03.004',
      started_at: null,
      completed_at: null,
      user_id: 'system',
      user_display_name: 'System',
      user_email: 'system@system.invokeai',
      field_values: [value],
      retried_from_item_id: null,
      device: null,
      workflow_call_id: null,
      parent_item_id: null,
      parent_session_id: null,
      root_item_id: null,
      workflow_call_depth: null,
      batch: items[0]?.batch,
      session: null,
    })
  })

  it('never reuses an id, even if the newest item was deleted', async () => {
    const queue = await openQueue()
    const { itemIds } = await queue.add(newBatch({ fieldValues: times(2) }))
    await queue.remove('default', { those: 'all' })

    const [next] = (await queue.add(newBatch())).itemIds

    expect(next).toBe((itemIds[0] ?? 0) + 1)
  })

  it('takes only the first items of a batch up to the limit of pending items', async () => {
    const queue = await openQueue()
    const fieldValues = [1, 2, 3].map((value) => [{ node_path: 'n', field_name: 'f', value }])
    await queue.add(newBatch({ fieldValues: times(3) }))

    const { itemIds } = await queue.add(newBatch({ fieldValues, maxPending: 5 }))

    const { items } = await queue.items('default', { itemIds })
    expect(items.map(({ field_values }) => field_values?.[0]?.value)).toEqual([2, 1])
    expect((await queue.add(newBatch({ maxPending: 5 }))).itemIds).toEqual([])
  })

  it('runs prepended items first, then the oldest, over all queues', async () => {
    const queue = await openQueue()
    const [first] = (await queue.add(newBatch())).itemIds
    const [second] = (await queue.add(newBatch({ queueId: 'other' }))).itemIds
    const prepended = await queue.add(newBatch({ prepend: true }))
    const again = await queue.add(newBatch({ prepend: true }))

    expect([prepended.priority, again.priority]).toEqual([1, 2])
    expect(await idsIn(queue, { only: 'next' })).toEqual(again.itemIds)
    expect(await idsIn(queue, inOrder)).toEqual([...again.itemIds, ...prepended.itemIds, first])
    const started = []
    for (;;) {
      const next = await queue.startNext('cpu', LEASE_MS)
      if (next === null) break
      started.push(next.item.item_id)
    }
    expect(started).toEqual([...again.itemIds, ...prepended.itemIds, first, second])
  })

  it('lists items page by page in the order in which they run', async () => {
    const queue = await openQueue()
    await queue.add(newBatch({ fieldValues: times(3) }))
    await queue.add(newBatch({ fieldValues: times(2), prepend: true, destination: 'canvas' }))
    await queue.add(newBatch({ fieldValues: times(2), prepend: true }))
    const all = await idsIn(queue, inOrder)

    const inParts = []
    for (let after: PlaceInOrder | null = null; ; ) {
      const { items } = await queue.items('default', { destination: null, after, limit: 2 })
      inParts.push(...items.map(({ item_id }) => item_id))
      after = items[1] ?? null
      if (after === null) break
    }

    expect(inParts).toEqual(all)
    const onCanvas = { destination: 'canvas', after: null, limit: 1 }
    const [first] = (await queue.items('default', onCanvas)).items
    expect(await idsIn(queue, { ...onCanvas, after: first ?? null })).toEqual([
      (first?.item_id ?? 0) + 1,
    ])
  })

  it('lists IDs by creation, ascending within one batch', async () => {
    let now = 1000
    const queue = await openQueue(() => now)
    const older = (await queue.add(newBatch({ fieldValues: times(2) }))).itemIds.toSorted()
    now += 1
    const newer = (await queue.add(newBatch({ fieldValues: times(2) }))).itemIds.toSorted()
    const newest = (await queue.add(newBatch({ fieldValues: times(2) }))).itemIds.toSorted()

    expect(await queue.itemIds('default', 'DESC')).toEqual([...newest, ...newer, ...older])
    expect(await queue.itemIds('default', 'ASC')).toEqual([...older, ...newer, ...newest])
  })

  it('counts by queue, batch and destination, and returns 0 for unknown ones', async () => {
    const queue = await openQueue()
    await queue.add(newBatch({ fieldValues: times(3), origin: 'me', destination: 'gallery' }))
    const [itemId = 0] = await queue.itemIds('default', 'DESC')
    await queue.cancel('default', { itemId })

    const counts = { ...noCounts, pending: 2, canceled: 1, total: 3 }
    const nothing = { ...noCounts, total: 0 }
    expect(await queue.batchStatus('default', 'batch')).toEqual({
      queue_id: 'default',
      batch_id: 'batch',
      origin: 'me',
      destination: 'gallery',
      ...counts,
    })
    expect(await queue.destinationCounts('default', 'gallery')).toMatchObject(counts)
    expect(await queue.status('default')).toMatchObject({ ...counts, item_id: null })
    expect(await queue.batchStatus('other', 'batch')).toMatchObject({ origin: null, ...nothing })
    expect(await queue.destinationCounts('default', 'canvas')).toMatchObject(nothing)
    expect(await queue.status('other')).toMatchObject(nothing)
  })

  it('finds an item by its session only in its queue', async () => {
    const queue = await openQueue()
    const { itemIds } = await queue.add(newBatch())
    const [item] = (await queue.items('default', { itemIds })).items
    const which = { sessionId: item?.session_id ?? '' }

    expect(await idsIn(queue, which)).toEqual(itemIds)
    expect(await idsIn(queue, which, 'other')).toEqual([])
    expect(await idsIn(queue, { itemIds }, 'other')).toEqual([])
  })
}

/** A lease that does not run out within a test, in milliseconds. */
export const LEASE_MS = 60_000

/** All items of a queue. */
export const inOrder = { destination: null, after: null, limit: 1000 }

/** Returns a batch with defaults for all fields that a test does not set. */
export const newBatch = (own: Partial<NewBatch> = {}): NewBatch => ({
  queueId: 'default',
  batchId: 'batch',
  origin: null,
  destination: null,
  graph: '{"id":"graph","nodes":{},"edges":[]}',
  workflow: null,
  fieldValues: [[]],
  prepend: false,
  maxPending: 100,
  ...own,
})

/** Returns the values of this many items without field values. */
export const times = (count: number) => Array.from({ length: count }, () => [])

export const ended = (status: ItemEnd['status'] = 'completed'): ItemEnd => ({
  status,
  session: '{"id":"s"}',
  error: status === 'failed' ? { type: 'ValueError', message: 'no', traceback: 'at' } : null,
})

/** Counts of an empty queue. */
export const noCounts = {
  pending: 0,
  in_progress: 0,
  waiting: 0,
  completed: 0,
  failed: 0,
  canceled: 0,
}
