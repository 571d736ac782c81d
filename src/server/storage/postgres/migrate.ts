import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { firstLibrary } from './migrations/0001-first-library.ts'

/** The schema of the tables, so that a database may contain tables of other programs. */
export const SCHEMA = 'tessera'

/** A released migration must not be edited, moved or renamed: add a new one. */
const migrations = { '0001-first-library': firstLibrary }

/** Compares the schema with the current version without changing it. */
export const compareSchema = async (db: Kysely<unknown>): Promise<'done' | 'older' | 'newer'> => {
  const { rows: tables } = await sql<{ there: string | null }>`
    SELECT to_regclass(${`${SCHEMA}.kysely_migration`})::text AS there`.execute(db)
  if (tables[0]?.there == null) return 'older'
  const { rows: applied } = await sql<{ name: string }>`
    SELECT name FROM ${sql.id(SCHEMA)}.kysely_migration`.execute(db)
  if (applied.some(({ name }) => !Object.hasOwn(migrations, name))) return 'newer'
  return applied.length < Object.keys(migrations).length ? 'older' : 'done'
}

/**
 * Migrates the schema to the current version. All migrations are applied in one transaction, or none.
 *
 * @returns `newer` if a newer version of Tessera has migrated it. Nothing was changed.
 */
export const migrate = async (db: Kysely<unknown>): Promise<'done' | 'newer'> => {
  await sql`CREATE SCHEMA IF NOT EXISTS ${sql.id(SCHEMA)}`.execute(db)
  const provider = { getMigrations: async () => migrations }
  const migrator = new Migrator({ db, provider, migrationTableSchema: SCHEMA })
  if ((await compareSchema(db)) === 'newer') return 'newer'
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  return 'done'
}
