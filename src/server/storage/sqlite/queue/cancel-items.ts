import type { QueueItemStatus } from '#contract/queue/queue.ts'
import type { AffectedItems, CanceledItem, Cancellation } from '#server/core/queue/queue-ports.ts'
import { boundList } from '#server/storage/sqlite/images/named-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import type { Write } from '#server/storage/sqlite/unit-types.ts'
import { changeOf, setStatus } from './change-items.ts'

type Affected = CanceledItem & { status: QueueItemStatus }

export const cancelItems: Write<'queue.cancel'> = async (db, now, queueId, which) =>
  cancel(db, now, which, await selectAffected(db, queueId, which))

export const removeItems: Write<'queue.remove'> = async (db, now, queueId, which) => {
  const items = await selectAffected(db, queueId, which)
  const canceled = await cancel(db, now, which, items)
  await db
    .deleteFrom('queue_items')
    .where('item_id', 'in', boundList(idsOf(items)))
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
    return ofQueue.where('batch_id', 'in', boundList([...which.batchIds])).execute()
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
