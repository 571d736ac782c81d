import type { QueueCounts } from '#contract/queue/queue.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Read } from '#server/storage/sql/unit-types.ts'
import type { QueueCountsTable } from './queue-tables.ts'

export const queueStatus: Read<'queue.status'> = async (db, queueId) => {
  const running = await db
    .selectFrom('queue_items')
    .select(['item_id', 'batch_id', 'session_id'])
    .where('queue_id', '=', queueId)
    .where('status', '=', 'in_progress')
    .orderBy('priority', 'desc')
    .orderBy('item_id')
    .limit(1)
    .executeTakeFirst()
  const counts = await countsOf(db, queueId, 'queue', '')
  return {
    queue_id: queueId,
    item_id: running?.item_id ?? null,
    batch_id: running?.batch_id ?? null,
    session_id: running?.session_id ?? null,
    ...counts,
    user_pending: counts.pending,
    user_in_progress: counts.in_progress,
  }
}

/** An unknown batch has no items. */
export const batchStatus: Read<'queue.batchStatus'> = async (db, queueId, batchId) => {
  const any = await db
    .selectFrom('queue_items')
    .select(['origin', 'destination'])
    .where('queue_id', '=', queueId)
    .where('batch_id', '=', batchId)
    .limit(1)
    .executeTakeFirst()
  return {
    queue_id: queueId,
    batch_id: batchId,
    origin: any?.origin ?? null,
    destination: any?.destination ?? null,
    ...(await countsOf(db, queueId, 'batch', batchId)),
  }
}

export const destinationCounts: Read<'queue.destinationCounts'> = async (
  db,
  queueId,
  destination,
) => ({
  queue_id: queueId,
  destination,
  ...(await countsOf(db, queueId, 'destination', destination)),
})

const countsOf = async (
  db: Db,
  queueId: string,
  scope: QueueCountsTable['scope'],
  name: string,
): Promise<QueueCounts> => {
  const rows = await db
    .selectFrom('queue_counts')
    .select(['status', 'n'])
    .where('queue_id', '=', queueId)
    .where('scope', '=', scope)
    .where('name', '=', name)
    .execute()
  const counts = { pending: 0, in_progress: 0, waiting: 0, completed: 0, failed: 0, canceled: 0 }
  for (const { status, n } of rows) counts[status] = n
  return { ...counts, total: rows.reduce((sum, { n }) => sum + n, 0) }
}
