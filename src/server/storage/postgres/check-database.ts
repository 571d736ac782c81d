import { sql } from 'kysely'
import type { DatabaseFault } from '#server/core/record-ports.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { checkCounters, numberFrom } from '#server/storage/sql/upkeep/repair.ts'

/** Compares counts and search words with the rows. */
export const checkDatabase = async (db: Db): Promise<DatabaseFault[]> => {
  const faults = [...(await checkCounters(db)), await checkSearch(db)]
  return faults.flatMap((fault) => fault ?? [])
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

/** Rebuilds all indexes. */
export const repairSchema = async (db: Db): Promise<void> => {
  // Within a transaction, indexes can be rebuilt only table by table.
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`.execute(db)
  for (const { name } of rows) await sql`REINDEX TABLE ${sql.id(name)}`.execute(db)
}
