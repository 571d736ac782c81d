import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'
import { queueStatus } from './queue-counts.ts'

export const addItems: Write<'queue.add'> = async (db, now, batch) => {
  const taken = batch.fieldValues.slice(0, await roomIn(db, batch.queueId, batch.maxPending))
  const priority = batch.prepend ? (await highestPriority(db, batch.queueId)) + 1 : 0
  if (taken.length === 0) return { itemIds: [], priority }

  const { id } = await db
    .insertInto('queue_batches')
    .values({ graph: batch.graph, workflow: batch.workflow })
    .returning('id')
    .executeTakeFirstOrThrow()
  const own = taken.map((values) => [randomUUID(), JSON.stringify(values)])
  const { rows } = await sql<{ item_id: number }>`
    INSERT INTO queue_items (
      queue_id, batch, batch_id, session_id, origin, destination,
      status, status_sequence, priority, field_values, created_at, updated_at
    )
    SELECT ${text(batch.queueId)}, ${number(id)}, ${text(batch.batchId)}, c0, ${text(batch.origin)},
      ${text(batch.destination)}, 'pending', 0, ${number(priority)}, c1, ${number(now)}, ${number(now)}
    FROM ${dialectOf(db).rows(['text', 'text'], own)} AS own ORDER BY at
    RETURNING item_id`.execute(db)
  return { itemIds: rows.map(({ item_id }) => item_id).reverse(), priority }
}

const text = (value: string | null) => sql`CAST(${value} AS TEXT)`
const number = (value: number) => sql`CAST(${value} AS BIGINT)`

const roomIn = async (db: Db, queueId: string, maxPending: number): Promise<number> =>
  Math.max(0, maxPending - (await queueStatus(db, queueId)).pending)

/** Returns 0 if no item is pending. */
const highestPriority = async (db: Db, queueId: string): Promise<number> => {
  const row = await db
    .selectFrom('queue_items')
    .select('priority')
    .where('queue_id', '=', queueId)
    .where('status', '=', 'pending')
    .orderBy('priority', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.priority ?? 0
}

/** The new items are copies with the same batch, priority and values. */
export const retryItems: Write<'queue.retry'> = async (db, now, queueId, itemIds, maxPending) => {
  const rows = await db
    .selectFrom('queue_items')
    .select(['item_id', 'retried_from_item_id'])
    .where(isOneOf(db, 'item_id', itemIds))
    // Without the unary plus, SQLite reads every failed and canceled item of the queue.
    .where(dialectOf(db).unindexed('queue_id'), '=', queueId)
    .where(dialectOf(db).unindexed<string>('status'), 'in', ['failed', 'canceled'])
    .execute()
  const there = new Map(rows.map((row) => [row.item_id, row]))
  const retried = [...new Set(itemIds)]
    .flatMap((id) => there.get(id) ?? [])
    .slice(0, await roomIn(db, queueId, maxPending))
  const own = retried.map((row) => [
    row.item_id,
    randomUUID(),
    row.retried_from_item_id ?? row.item_id,
  ])
  await sql`
    INSERT INTO queue_items (
      queue_id, batch, batch_id, session_id, origin, destination, status, status_sequence,
      priority, field_values, retried_from_item_id, created_at, updated_at
    )
    SELECT queue_id, batch, batch_id, own.c1, origin, destination, 'pending', 0,
      priority, field_values, own.c2, ${now}, ${now}
    FROM ${dialectOf(db).rows(['integer', 'text', 'integer'], own)} AS own
    JOIN queue_items ON item_id = own.c0 ORDER BY own.at`.execute(db)
  return retried.map(({ item_id }) => item_id)
}
