import { sql } from 'kysely'
import type { ImageOrder } from '#contract/image.ts'
import type { DatabaseFault } from '#server/core/record-ports.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { checkCounters, numberFrom } from '#server/storage/sql/upkeep/repair.ts'
import { columnOf } from '#server/storage/sql/views/order.ts'
import { ALL, ORDERS, SLOT_OF_ROW, SLOTS } from './order-buckets.ts'

/** Compares counts, positions, search words and references with the rows. A million images take about a minute. */
export const checkDatabase = async (db: Db): Promise<DatabaseFault[]> => {
  const faults = [
    await checkReferences(db),
    ...(await checkCounters(db)),
    await checkPositions(db),
    await checkSearch(db),
  ]
  return faults.flatMap((fault) => fault ?? [])
}

const checkReferences = async (db: Db): Promise<DatabaseFault | null> => {
  const count = await numberFrom(
    db,
    sql`SELECT count(*) FROM images WHERE board NOT IN (SELECT id FROM boards)`,
  )
  if (count === 0) return null
  const text = `${count} rows refer to rows that do not exist.`
  return { kind: 'references', canRepair: false, text }
}

const checkSearch = async (db: Db): Promise<DatabaseFault | null> => {
  const count = await numberFrom(
    db,
    sql`SELECT count(*) FROM images
      WHERE NOT EXISTS (SELECT 1 FROM image_search WHERE image = images.id)`,
  )
  if (count === 0) return null
  const text = `The search index does not agree with ${count} images.`
  return { kind: 'search', canRepair: true, text }
}

const checkPositions = async (db: Db): Promise<DatabaseFault | null> => {
  for (const by of ORDERS) {
    for (const scope of ['board', `${ALL}::bigint`]) {
      if ((await wrongBuckets(db, by, scope)) > 0)
        return { kind: 'counters', canRepair: true, text: 'The stored positions are wrong.' }
    }
  }
  return null
}

/** Counts the buckets of an order whose counts differ from the images between their first key and the next one's. */
const wrongBuckets = (db: Db, by: ImageOrder, scope: string): Promise<number> => {
  const column = columnOf({ by })
  const key = by === 'name' ? `${column}, 0::bigint` : `'' COLLATE "C", ${column}`
  const isInLists = scope === 'board' ? `scope <> ${ALL}` : `scope = ${ALL}`
  const buckets = `FROM order_buckets WHERE ord = ${ORDERS.indexOf(by)} AND ${isInLists}`
  const counts = (rows: string) => SLOTS.map((at) => `${rows}.slot${at}`).join(', ')
  return numberFrom(
    db,
    sql.raw(`
      WITH keys (scope, text, number, id, slot) AS (
        SELECT ${scope}, ${key}, id, ${SLOT_OF_ROW} FROM images WHERE deleted_at IS NULL
        UNION ALL SELECT scope, from_text, from_number, from_id, -1 ${buckets}
      ), placed AS (
        SELECT scope, slot, count(*) FILTER (WHERE slot = -1) OVER (
          PARTITION BY scope ORDER BY text, number, id, slot ROWS UNBOUNDED PRECEDING) AS part
        FROM keys
      ), counted AS (
        SELECT scope, part,
          ${SLOTS.map((at) => `(count(*) FILTER (WHERE slot = ${at}))::int AS slot${at}`).join(', ')}
        FROM placed GROUP BY scope, part
      ), stored AS (
        SELECT *, row_number() OVER (
          PARTITION BY scope ORDER BY from_text, from_number, from_id) AS part
        ${buckets}
      )
      SELECT count(*) FROM counted FULL JOIN stored USING (scope, part)
      WHERE (${counts('counted')}) IS DISTINCT FROM (${counts('stored')})`),
  )
}

/** Rebuilds all indexes and the counts of positions. */
export const repairSchema = async (db: Db): Promise<void> => {
  // Within a transaction, indexes can be rebuilt only table by table.
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`.execute(db)
  for (const { name } of rows) await sql`REINDEX TABLE ${sql.id(name)}`.execute(db)
  await sql`SELECT fill_order_buckets()`.execute(db)
}
