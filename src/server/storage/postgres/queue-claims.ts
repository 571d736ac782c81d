import { type Kysely, sql } from 'kysely'
import type { ProcessorRecords } from '#server/core/queue/queue-ports.ts'
import { isOneOf, type QueueClaims } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { QUEUE_LOCK } from './advisory-locks.ts'
import { faultsAsRefusals } from './faults.ts'

const leaseEnd = (leaseMs: number) =>
  sql`clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`

/**
 * A claim is the right of a process to run an item. An item starts at most once, so its ID identifies the claim: a
 * process whose claim is gone can neither renew it nor end the item.
 */
export const queueClaims: QueueClaims = {
  mayStart: sql`NOT (SELECT is_paused FROM queue_processors)`,
  lockNext: sql`FOR UPDATE SKIP LOCKED`,

  add: async (db, itemId, leaseMs) => {
    await sql`INSERT INTO queue_claims VALUES (${itemId}, ${leaseEnd(leaseMs)})`.execute(db)
  },

  // A lease that ran out can be renewed until `expire` ends it, for example after a restart of the database.
  renew: async (db, itemIds, leaseMs) => {
    const { rows } = await sql<{ item: number }>`
      UPDATE queue_claims SET leased_until = ${leaseEnd(leaseMs)} FROM queue_items
      WHERE ${isOneOf(db, 'item', itemIds)} AND item_id = item AND status = 'in_progress'
      RETURNING item`.execute(db)
    return rows.map(({ item }) => item)
  },

  remove: async (db, itemId) => {
    const { rows } = await sql`
      DELETE FROM queue_claims WHERE item = ${itemId} RETURNING item`.execute(db)
    return rows.length > 0
  },

  // The DELETE waits for a concurrent renewal and then keeps its claim.
  expire: async (db) => {
    await sql`DELETE FROM queue_claims WHERE leased_until < clock_timestamp()`.execute(db)
    const { rows } = await sql<{ item_id: number }>`
      SELECT item_id FROM queue_items
      WHERE status IN ('in_progress', 'waiting')
        AND NOT EXISTS (SELECT FROM queue_claims WHERE item = item_id)
      ORDER BY item_id`.execute(db)
    return rows.map(({ item_id }) => item_id)
  },
}

/** Ends the claims and the pause of earlier processes. Only for a process that uses the database alone. */
export const resetProcessors = async (db: Kysely<unknown>): Promise<void> => {
  await sql`DELETE FROM queue_claims`.execute(db)
  await sql`UPDATE queue_processors SET is_paused = false`.execute(db)
}

export const processorsOf = (db: Db): ProcessorRecords => ({
  // After the commit no item starts, because `startNext` takes the same lock.
  setPaused: (isPaused) =>
    faultsAsRefusals(
      () =>
        db.transaction().execute(async (transaction) => {
          await sql`SELECT pg_advisory_xact_lock(${QUEUE_LOCK})`.execute(transaction)
          await sql`UPDATE queue_processors SET is_paused = ${isPaused}`.execute(transaction)
        }),
      { isChange: true },
    ),

  status: () =>
    faultsAsRefusals(async () => {
      const { rows } = await sql<{ isPaused: boolean; isRunning: boolean }>`
        SELECT is_paused AS "isPaused", EXISTS (
          SELECT FROM queue_items WHERE status IN ('in_progress', 'waiting')
        ) AS "isRunning" FROM queue_processors`.execute(db)
      return rows[0] ?? { isPaused: false, isRunning: false }
    }),
})
