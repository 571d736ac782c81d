import { type Selectable, sql } from 'kysely'
import { renderTimestamp } from '#server/core/clock.ts'
import type {
  PlaceInOrder,
  StoredBatch,
  StoredItem,
  WhichItems,
} from '#server/core/queue/queue-ports.ts'
import { renderNullable } from '#server/storage/sql/codes.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Read } from '#server/storage/sql/unit-types.ts'
import type { QueueItemsTable } from './queue-tables.ts'

export const listItems: Read<'queue.items'> = async (db, queueId, which) => {
  const items = (await rowsOf(db, queueId, which)).map(storedItemOf)
  return { items, batches: await listBatches(db, [...new Set(items.map(({ batch }) => batch))]) }
}

/** As in InvokeAI, the items of one batch are always in ascending order. */
export const listItemIds: Read<'queue.itemIds'> = async (db, queueId, direction) => {
  const order = direction === 'ASC' ? 'asc' : 'desc'
  const rows = await db
    .selectFrom('queue_items')
    .select('item_id')
    .where('queue_id', '=', queueId)
    .orderBy('created_at', order)
    .orderBy('batch', order) // two batches may be created in the same millisecond
    .orderBy('item_id')
    .execute()
  return rows.map(({ item_id }) => item_id)
}

/** Returns an item of any queue. undefined: no such item. */
export const getItem = async (db: Db, itemId: number): Promise<StoredItem | undefined> => {
  const row = await selectItems(db).where('item_id', '=', itemId).executeTakeFirst()
  return row && storedItemOf(row)
}

export const listBatches = async (db: Db, batches: readonly number[]): Promise<StoredBatch[]> =>
  db
    .selectFrom('queue_batches')
    .select(['id as batch', 'graph', 'workflow'])
    .where(isOneOf(db, 'id', batches))
    .execute()

const selectItems = (db: Db) =>
  db
    .selectFrom('queue_items')
    .leftJoin('queue_sessions', 'queue_sessions.item', 'queue_items.item_id')
    .selectAll('queue_items')
    .select('queue_sessions.session')

type ItemRow = Selectable<QueueItemsTable> & { session: string | null }

const rowsOf = async (db: Db, queueId: string, which: WhichItems): Promise<ItemRow[]> => {
  const ofQueue = selectItems(db).where('queue_id', '=', queueId)
  if ('sessionId' in which) return ofQueue.where('session_id', '=', which.sessionId).execute()
  if ('itemIds' in which) {
    const rows = await selectItems(db)
      .where(isOneOf(db, 'item_id', which.itemIds))
      .where(dialectOf(db).unindexed('queue_id'), '=', queueId) // without the unary plus, SQLite may read the whole queue
      .execute()
    const byId = new Map(rows.map((row) => [row.item_id, row]))
    return which.itemIds.flatMap((id) => byId.get(id) ?? [])
  }
  const inOrder = ofQueue.orderBy('priority', 'desc').orderBy('item_id')
  if ('only' in which) {
    const status = which.only === 'current' ? 'in_progress' : 'pending'
    return inOrder.where('status', '=', status).limit(1).execute()
  }
  const { destination, after, limit } = which
  return inOrder
    .$if(destination !== null, (query) => query.where('destination', '=', destination))
    .$if(after !== null, (query) => query.where(isAfter(after)))
    .limit(limit)
    .execute()
}

/** The first condition can use the index; the second one alone would start at the first item. */
const isAfter = (place: PlaceInOrder | null) => {
  const { priority, item_id } = place ?? { priority: 0, item_id: 0 }
  return sql<boolean>`priority <= ${priority} AND (priority < ${priority} OR item_id > ${item_id})`
}

/** Fields of called workflows are null, and the user is InvokeAI's system user. */
const storedItemOf = (row: ItemRow): StoredItem => ({
  ...row,
  created_at: renderTimestamp(row.created_at),
  updated_at: renderTimestamp(row.updated_at),
  started_at: renderNullable(row.started_at),
  completed_at: renderNullable(row.completed_at),
  user_id: 'system',
  user_display_name: 'System',
  user_email: 'system@system.invokeai',
  field_values: JSON.parse(row.field_values),
  workflow_call_id: null,
  parent_item_id: null,
  parent_session_id: null,
  root_item_id: null,
  workflow_call_depth: null,
})

/** Returns the id of the next item to run, over all queues. */
export const getNextItemId = async (db: Db): Promise<number | undefined> => {
  const { claims, indexedBy } = dialectOf(db)
  const { rows } = await sql<{ item_id: number }>`
    SELECT item_id FROM queue_items ${indexedBy('queue_next')}
    WHERE status = 'pending' AND ${claims.mayStart}
    ORDER BY priority DESC, item_id LIMIT 1 ${claims.lockNext}`.execute(db)
  return rows[0]?.item_id
}

/** Returns the ids of all running items, over all queues. */
export const getRunningItemIds = async (db: Db): Promise<number[]> => {
  const rows = await db
    .selectFrom('queue_items')
    .select('item_id')
    .where('status', 'in', ['in_progress', 'waiting'])
    .execute()
  return rows.map(({ item_id }) => item_id)
}
