import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { clientState } from './migrations/client-state.ts'
import { countedBytes } from './migrations/counted-bytes.ts'
import { firstLibrary } from './migrations/first-library.ts'
import { imageChanges } from './migrations/image-changes.ts'
import { imports } from './migrations/imports.ts'
import { importsUnderWay } from './migrations/imports-under-way.ts'
import { orders } from './migrations/orders.ts'
import { previousPlaces } from './migrations/previous-places.ts'
import { promptStarts } from './migrations/prompt-starts.ts'
import { queue } from './migrations/queue.ts'
import { upkeepTimes } from './migrations/upkeep-times.ts'
import { SELECT_FOREIGN_TABLE } from './open-database.ts'

/** The names sort by age. Released migrations must not be edited; add a new one instead. */
const migrations = {
  '0001-first-library': firstLibrary,
  '2026-11-22-orders': orders,
  '2026-11-22-queue': queue,
  '2026-11-22-state-of-clients': clientState,
  '2026-11-23-imports': imports,
  '2026-11-24-imports-under-way': importsUnderWay,
  '2026-11-27-upkeep-times': upkeepTimes,
  '2026-11-28-image-changes': imageChanges,
  '2026-11-29-previous-places': previousPlaces,
  '2026-11-29-prompt-starts': promptStarts,
  '2026-11-30-counted-bytes': countedBytes,
}

/**
 * Migrates the schema to the current version. Each migration is applied completely or not at all.
 *
 * @param options - `mayCreate: false` leaves an empty database empty. `backUp` runs before the schema of an existing
 *   library changes; if it fails, nothing is changed.
 * @returns `done`, or why nothing was changed.
 */
export const migrate = async (
  db: Kysely<unknown>,
  { mayCreate = true, backUp }: { mayCreate?: boolean; backUp?: () => Promise<void> } = {},
): Promise<'done' | 'newer' | 'foreign' | 'empty'> => {
  const applied = await appliedMigrations(db)
  if (applied.some((name) => !Object.hasOwn(migrations, name))) return 'newer'
  if (await hasForeignTables(db)) return 'foreign'
  if (applied.length === 0 && !mayCreate) return 'empty'
  if (applied.length > 0 && applied.length < Object.keys(migrations).length) await backUp?.()
  const provider = { getMigrations: async () => migrations }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw error
  return 'done'
}

/**
 * Compares the schema with the current version without changing it, for reading while another process has the
 * library open.
 */
export const compareSchema = async (
  db: Kysely<unknown>,
): Promise<'done' | 'older' | 'newer' | 'foreign'> => {
  const applied = await appliedMigrations(db)
  if (applied.some((name) => !Object.hasOwn(migrations, name))) return 'newer'
  if (await hasForeignTables(db)) return 'foreign'
  return applied.length < Object.keys(migrations).length ? 'older' : 'done'
}

const appliedMigrations = async (db: Kysely<unknown>): Promise<string[]> => {
  const { rows: tables } = await sql`
    SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'`.execute(db)
  if (tables.length === 0) return []
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

const hasForeignTables = async (db: Kysely<unknown>): Promise<boolean> =>
  (await sql.raw(SELECT_FOREIGN_TABLE).execute(db)).rows.length > 0
