import { sql, type Updateable } from 'kysely'
import type { QueueItemStatus } from '#contract/queue/queue.ts'
import type {
  AffectedItems,
  CanceledItem,
  Cancellation,
  ItemChange,
} from '#server/core/queue/queue-ports.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'
import { getItem, getNextItemId, listBatches } from './list-items.ts'
import { batchStatus, queueStatus } from './queue-counts.ts'
import type { QueueItemsTable } from './queue-tables.ts'

type NextStatus = Updateable<QueueItemsTable> & Pick<QueueItemsTable, 'status'>

export const startNextItem: Write<'queue.startNext'> = async (db, now, device, leaseMs) => {
  const itemId = await getNextItemId(db)
  if (itemId === undefined) return null
  await setStatus(db, now, [itemId], { status: 'in_progress', started_at: now, device })
  await dialectOf(db).claims.add(db, itemId, leaseMs)
  const change = await changeOf(db, itemId)
  const [batch] = await listBatches(db, [change.item.batch])
  if (batch === undefined) throw new Error(`item ${itemId} has no batch`)
  return { ...change, batch }
}

export const endItem: Write<'queue.end'> = async (db, now, itemId, end) => {
  const item = await getItem(db, itemId)
  if (item === undefined) return null
  // The answer to an earlier call was lost.
  if (item.status === end.status && item.session === end.session) return changeOf(db, itemId)
  if (!(await dialectOf(db).claims.remove(db, itemId))) return null
  await db
    .insertInto('queue_sessions')
    .values({ item: itemId, session: end.session })
    .onConflict((conflict) => conflict.column('item').doUpdateSet({ session: end.session }))
    .execute()
  if (item.status !== 'in_progress') return null
  await setStatus(db, now, [itemId], {
    status: end.status,
    completed_at: now,
    error_type: end.error?.type ?? null,
    error_message: end.error?.message ?? null,
    error_traceback: end.error?.traceback ?? null,
  })
  return changeOf(db, itemId)
}

export const renewItems: Write<'queue.renew'> = (db, _now, itemIds, leaseMs) =>
  dialectOf(db).claims.renew(db, itemIds, leaseMs)

export const recoverItems: Write<'queue.recover'> = async (db, now) => {
  const ids = await dialectOf(db).claims.expire(db)
  if (ids.length === 0) return []
  await setStatus(db, now, ids, { status: 'canceled', completed_at: now })
  const changes = []
  for (const itemId of ids) changes.push(await changeOf(db, itemId))
  return changes
}

/** Sets the status of items and increases their status sequence. */
export const setStatus = async (
  db: Db,
  now: number,
  itemIds: readonly number[],
  next: NextStatus,
): Promise<void> => {
  await db
    .updateTable('queue_items')
    .set({ ...next, updated_at: now, status_sequence: sql`status_sequence + 1` })
    .where(isOneOf(db, 'item_id', itemIds))
    .execute()
}

/** Returns the data of the events about a changed item. */
export const changeOf = async (db: Db, itemId: number): Promise<ItemChange> => {
  const item = await getItem(db, itemId)
  if (item === undefined) throw new Error(`item ${itemId} is gone after its change`)
  return {
    item,
    batch_status: await batchStatus(db, item.queue_id, item.batch_id),
    queue_status: await queueStatus(db, item.queue_id),
  }
}

type Affected = CanceledItem & { status: QueueItemStatus }

export const cancelItems: Write<'queue.cancel'> = async (db, now, queueId, which) =>
  cancel(db, now, which, await selectAffected(db, queueId, which))

export const removeItems: Write<'queue.remove'> = async (db, now, queueId, which) => {
  const items = await selectAffected(db, queueId, which)
  const canceled = await cancel(db, now, which, items)
  await db
    .deleteFrom('queue_items')
    .where(isOneOf(db, 'item_id', idsOf(items)))
    .execute()
  return { ...canceled, deleted: items.length }
}

const cancel = async (
  db: Db,
  now: number,
  which: AffectedItems,
  items: readonly Affected[],
): Promise<Cancellation> => {
  const live = items.filter(({ status }) => !statuses.ended.includes(status))
  await setStatus(db, now, idsOf(live), { status: 'canceled', completed_at: now })
  const isReportedAlone = ({ status }: Affected) => 'itemId' in which || status === 'in_progress'
  const changes = []
  for (const { item_id } of live.filter(isReportedAlone)) changes.push(await changeOf(db, item_id))
  const waiting = live
    .filter((item) => !isReportedAlone(item))
    .map(({ status: _, ...item }) => item)
  return { changes, waiting }
}

const selectAffected = async (db: Db, queueId: string, which: AffectedItems) => {
  const ofQueue = db
    .selectFrom('queue_items')
    .select(['item_id', 'batch_id', 'session_id', 'status'])
    .where('queue_id', '=', queueId)
    .orderBy('item_id')
  if ('itemId' in which) return ofQueue.where('item_id', '=', which.itemId).execute()
  if ('batchIds' in which) {
    return ofQueue.where(isOneOf(db, 'batch_id', [...which.batchIds])).execute()
  }
  if ('destination' in which) return ofQueue.where('destination', '=', which.destination).execute()
  if (which.those === 'all') return ofQueue.execute()
  return ofQueue.where('status', 'in', statuses[which.those]).execute()
}

const statuses: Readonly<Record<'waiting' | 'ended', QueueItemStatus[]>> = {
  waiting: ['pending', 'waiting'],
  ended: ['completed', 'failed', 'canceled'],
}

const idsOf = (items: readonly Affected[]): number[] => items.map(({ item_id }) => item_id)
