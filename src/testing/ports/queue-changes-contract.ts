import { expect, it } from 'vitest'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import { ended, inOrder, LEASE_MS, newBatch, noCounts, times } from './queue-contract.ts'

/** Tests that every implementation of `QueueRecords` must pass. `open` returns a library with empty queues. */
export const testQueueChanges = (open: (clock?: Clock) => Promise<Records>): void => {
  const openQueue = async (clock?: Clock) => (await open(clock)).queue

  it('stores when an item starts and how it ends', async () => {
    let now = 1000
    const queue = await openQueue(() => now)
    await queue.add(newBatch({ destination: 'canvas' }))
    now = 2000
    const started = await queue.startNext('cpu', LEASE_MS)
    const itemId = started?.item.item_id ?? 0
    expect(started).toMatchObject({
      item: {
        status: 'in_progress',
        status_sequence: 1,
        device: 'cpu',
        started_at: '1970-01-01 00:00:02.000',
      },
      batch: { graph: newBatch().graph },
      batch_status: { ...noCounts, destination: 'canvas', in_progress: 1, total: 1 },
      queue_status: { item_id: itemId, session_id: started?.item.session_id, in_progress: 1 },
    })
    now = 3000

    expect(await queue.end(itemId, ended('failed'))).toMatchObject({
      item: {
        status: 'failed',
        status_sequence: 2,
        completed_at: '1970-01-01 00:00:03.000',
        updated_at: '1970-01-01 00:00:03.000',
        error_type: 'ValueError',
        error_message: 'no',
        error_traceback: 'at',
        session: '{"id":"s"}',
      },
      queue_status: { item_id: null, batch_id: null, in_progress: 0, failed: 1, total: 1 },
    })
  })

  it('does not change a final status, but stores the session of a canceled item', async () => {
    const queue = await openQueue()
    await queue.add(newBatch())
    const itemId = (await queue.startNext('cpu', LEASE_MS))?.item.item_id ?? 0
    await queue.cancel('default', { itemId })

    expect(await queue.end(itemId, ended('completed'))).toBeNull()
    expect((await queue.items('default', { itemIds: [itemId] })).items).toMatchObject([
      { status: 'canceled', status_sequence: 2, session: '{"id":"s"}' },
    ])
    expect(await queue.cancel('default', { itemId })).toEqual({ changes: [], waiting: [] })
    await queue.remove('default', { itemId })
    expect(await queue.end(itemId, ended('completed'))).toBeNull()
  })

  it('returns the same change if the end of an item is stored again', async () => {
    const queue = await openQueue()
    await queue.add(newBatch())
    const itemId = (await queue.startNext('cpu', LEASE_MS))?.item.item_id ?? 0

    const change = await queue.end(itemId, ended('failed'))

    expect(await queue.end(itemId, ended('failed'))).toEqual(change)
    expect(change).toMatchObject({ item: { status: 'failed', status_sequence: 2 } })
  })

  it('cancels a single item and reports only that one', async () => {
    const queue = await openQueue()
    const { itemIds } = await queue.add(newBatch({ fieldValues: times(2) }))

    const canceled = await queue.cancel('default', { itemId: itemIds[0] ?? 0 })

    expect(canceled).toMatchObject({
      changes: [{ item: { item_id: itemIds[0], status: 'canceled' } }],
      waiting: [],
    })
    expect(canceled.changes[0]?.item.completed_at).not.toBeNull()
    expect(await queue.cancel('other', { itemId: itemIds[1] ?? 0 })).toEqual({
      changes: [],
      waiting: [],
    })
  })

  it.each([
    [{ batchIds: ['one', 'two'] }, [1, 2]],
    [{ destination: 'canvas' }, [2]],
    [{ those: 'waiting' }, [1, 2, 3]],
    [{ those: 'all' }, [0, 1, 2, 3]],
  ] as const)(
    'cancels and deletes %o, and reports running items separately',
    async (which, places) => {
      const queue = await openQueue()
      const batches = [
        { batchId: 'zero', prepend: true },
        { batchId: 'one' },
        { batchId: 'two', destination: 'canvas' },
        { batchId: 'three' },
      ]
      const ids: number[] = []
      for (const batch of batches) ids.push(...(await queue.add(newBatch(batch))).itemIds)
      await queue.add(newBatch({ queueId: 'other', batchId: 'one', destination: 'canvas' }))
      await queue.startNext('cpu', LEASE_MS)

      const { changes, waiting, deleted } = await queue.remove('default', which)

      const affected = places.map((place) => ids[place] ?? 0)
      expect(changes.map(({ item }) => item.item_id)).toEqual(
        places.some((at) => at === 0) ? [ids[0]] : [],
      )
      expect(waiting.map(({ item_id }) => item_id)).toEqual(affected.filter((id) => id !== ids[0]))
      expect(deleted).toBe(affected.length)
      expect(await queue.itemIds('default', 'ASC')).toEqual(
        ids.filter((id) => !affected.includes(id)),
      )
      expect(await queue.itemIds('other', 'ASC')).toHaveLength(1)
    },
  )

  it('retries failed and canceled items as new items of the same batch', async () => {
    const queue = await openQueue()
    const values = [{ node_path: 'n', field_name: 'f', value: 'x' }]
    await queue.add(newBatch({ fieldValues: [values, [], []], prepend: true }))
    const failed = (await queue.startNext('cpu', LEASE_MS))?.item.item_id ?? 0
    await queue.end(failed, ended('failed'))
    const completed = (await queue.startNext('cpu', LEASE_MS))?.item.item_id ?? 0
    await queue.end(completed, ended())

    expect(await queue.retry('default', [completed, failed, failed, 99_999], 100)).toEqual([failed])
    expect(await queue.retry('other', [failed], 100)).toEqual([])

    const { items } = await queue.items('default', inOrder)
    const [old, , , copy] = items
    expect(copy).toEqual({
      ...old,
      item_id: copy?.item_id ?? 0,
      session_id: copy?.session_id,
      retried_from_item_id: failed,
      status: 'pending',
      status_sequence: 0,
      created_at: copy?.created_at,
      updated_at: copy?.updated_at,
      started_at: null,
      completed_at: null,
      device: null,
      error_type: null,
      error_message: null,
      error_traceback: null,
      session: null,
    })
    expect(copy?.session_id).not.toBe(old?.session_id)

    await queue.cancel('default', { itemId: copy?.item_id ?? 0 })
    await queue.retry('default', [copy?.item_id ?? 0], 100)
    const [newest] = (await queue.itemIds('default', 'DESC')).slice(0, 1)
    expect((await queue.items('default', { itemIds: [newest ?? 0] })).items).toMatchObject([
      { retried_from_item_id: failed, field_values: values },
    ])
  })

  it('cancels running items on recovery and leaves pending ones', async () => {
    const queue = await openQueue(() => 5000)
    await queue.add(newBatch({ fieldValues: times(2) }))
    const started = await queue.startNext('cpu', 0)

    expect(await queue.recover()).toMatchObject([
      {
        item: { item_id: started?.item.item_id, status: 'canceled' },
        batch_status: { pending: 1, in_progress: 0, canceled: 1 },
        queue_status: { item_id: null, pending: 1, canceled: 1 },
      },
    ])
    expect((await queue.items('default', inOrder)).items).toMatchObject([
      { status: 'canceled', status_sequence: 2, completed_at: '1970-01-01 00:00:05.000' },
      { status: 'pending', status_sequence: 0, completed_at: null },
    ])
    expect(await queue.recover()).toEqual([])
  })

  it('renews only items that still run', async () => {
    const queue = await openQueue()
    const { itemIds } = await queue.add(newBatch({ fieldValues: times(4) }))
    const started = []
    for (const _ of times(3))
      started.push((await queue.startNext('cpu', LEASE_MS))?.item.item_id ?? 0)
    const [canceled = 0, completed = 0, running = 0] = started
    await queue.cancel('default', { itemId: canceled })
    await queue.end(completed, ended())

    expect(await queue.renew(itemIds, LEASE_MS)).toEqual([running])
    await queue.remove('default', { itemId: running })
    expect(await queue.renew(itemIds, LEASE_MS)).toEqual([])
  })

  it('retries no more items than the limit of pending items allows', async () => {
    const queue = await openQueue()
    const { itemIds } = await queue.add(newBatch({ fieldValues: times(3) }))
    await queue.cancel('default', { those: 'waiting' })
    await queue.add(newBatch())

    expect(await queue.retry('default', itemIds, 3)).toEqual(itemIds.slice(0, 2))
  })
}
