import { type RawBuilder, sql } from 'kysely'
import type { DatabaseFault } from '#server/core/record-ports.ts'
import { dialectOf } from '#server/storage/sql/dialect.ts'
import { indexStored } from '#server/storage/sql/search/search-text-of.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import type { Repairing } from '#server/storage/sql/unit-types.ts'

/** Repairs the schema and recounts. Deletes no image and no board. */
export const repairDatabase = async ({ db, repairSchema }: Repairing): Promise<void> => {
  await repairSchema()
  for (const { table, select } of counters) {
    await sql.raw(`DELETE FROM ${table}`).execute(db)
    await sql.raw(`INSERT INTO ${table} ${select}`).execute(db)
  }
}

/** Empties the search index and the properties, and adds the names of boards. `fillSearch` then adds the images. */
export const clearSearch = async (db: Db): Promise<void> => {
  await dialectOf(db).clearSearch(db)
  for (const table of ['image_properties', 'image_loras', 'property_values'] as const)
    await db.deleteFrom(table).execute()
  const boards = await db.selectFrom('boards').select(['id', 'board_name']).execute()
  for (const { id, board_name } of boards)
    if (id !== UNCATEGORIZED) await dialectOf(db).indexBoard(db, id, board_name)
}

/** Adds the next images to the search index and stores their properties. Returns the id to continue after, or null at the end. */
export const fillSearch = async (db: Db, _now: number, after: number, limit: number) => {
  const ids = await indexStored(db, (select) =>
    select.where('images.id', '>', after).orderBy('images.id').limit(limit),
  )
  return ids.length < limit ? null : (ids.at(-1) ?? null)
}

/** Tables of counts that triggers maintain, with the query that computes their content. */
const counters = [
  {
    table: 'image_counts',
    name: 'images',
    select: `SELECT board, kind, category, origin, starred, count(*) AS n,
        sum(file_size) AS bytes
      FROM images WHERE deleted_at IS NULL
      GROUP BY board, kind, category, origin, starred`,
  },
  {
    table: 'queue_counts',
    name: 'queue items',
    select: `SELECT queue_id, scope, name, status, count(*) AS n FROM (
        SELECT queue_id, 'queue' AS scope, '' AS name, status FROM queue_items
        UNION ALL SELECT queue_id, 'batch', batch_id, status FROM queue_items
        UNION ALL SELECT queue_id, 'destination', destination, status FROM queue_items
          WHERE destination IS NOT NULL) AS scopes
      GROUP BY queue_id, scope, name, status`,
  },
] as const

export const checkCounters = (db: Db): Promise<(DatabaseFault | null)[]> =>
  Promise.all(
    counters.map(async ({ table, name, select }) => {
      const stored = `SELECT * FROM ${table} WHERE n <> 0`
      const counted = `SELECT * FROM (${select}) AS counted`
      const differences = sql.raw(`
        SELECT (SELECT count(*) FROM (${stored} EXCEPT ${counted}) AS wrong) +
          (SELECT count(*) FROM (${counted} EXCEPT ${stored}) AS missing)`)
      if ((await numberFrom(db, differences)) === 0) return null
      return { kind: 'counters', canRepair: true, text: `The stored counts of ${name} are wrong.` }
    }),
  )

/** Runs a query that returns one number. */
export const numberFrom = async (db: Db, query: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT (${query}) AS n`.execute(db)
  return rows[0]?.n ?? 0
}
