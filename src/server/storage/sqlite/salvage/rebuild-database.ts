import Sqlite from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { clearSearch, fillSearch, repairDatabase } from '#server/storage/sql/upkeep/repair.ts'
import { isNewer, migrate } from '#server/storage/sqlite/migrate.ts'
import { openDatabase } from '#server/storage/sqlite/open-database.ts'
import { repairSchema } from '#server/storage/sqlite/upkeep/check-database.ts'
import { DatabasePages } from './database-pages.ts'
import { type Completion, completeRows, type FillOptions, fillRows } from './fill-database.ts'
import { TableReader } from './read-tables.ts'
import { type Survey, surveyOf } from './survey-database.ts'
import { shapesOf, type TableShape } from './table-shapes.ts'

const IMAGES_PER_UNIT = 5_000

export type Rebuilt = Survey & Completion

export interface RebuildOptions extends FillOptions {
  /** The damaged database. */
  path: string
}

/**
 * Makes a new database of the readable rows of a damaged one, and of those of a backup that it lacks.
 *
 * @throws {LibraryError} A newer version of Tessera wrote the database.
 * @throws The reason of `signal`.
 */
export const rebuildDatabase = async (options: RebuildOptions): Promise<Rebuilt> => {
  const { path, to, backup } = options
  using pages = new DatabasePages(path)
  const migrations = readMigrations(pages)
  if (isNewer(migrations)) {
    throw new LibraryError(`${path} was written by a newer version of Tessera. Update Tessera.`)
  }
  const reader = new TableReader(pages, await makeEmpty(to, migrations))
  await fillRows(options, reader)
  await migrateAt(to)
  if (backup !== null) await migrateAt(backup)
  const completed = await completeRows(options, reader)
  await makeCountsAndSearch(to)
  const filled = new Sqlite(to, { readonly: true })
  try {
    const select = (name: string) => filled.prepare(`SELECT count(*) FROM "${name}"`).pluck()
    return { ...surveyOf(pages, reader, (name) => Number(select(name).get())), ...completed }
  } finally {
    filled.close()
  }
}

/** Returns the names of the migrations of a database, or none if one of them cannot be read. */
const readMigrations = (pages: DatabasePages): string[] => {
  const reader = new TableReader(pages, [{ name: 'kysely_migration', columns: [] }])
  const names = [...reader.rows()].map(({ values }) => String(values[0]))
  return reader.tables.get('kysely_migration')?.isWhole ? names : []
}

/** The rows of an older version fit its tables, and the migrations then change both. */
const makeEmpty = async (path: string, migrations: readonly string[]): Promise<TableShape[]> => {
  await using db = openDatabase(path, { readonly: false })
  const upTo = migrations.toSorted().at(-1)
  await migrate(db as Kysely<unknown>, { ...(upTo !== undefined && { upTo }) })
  return await shapesOf(db)
}

const migrateAt = async (path: string): Promise<void> => {
  await using db = openDatabase(path, { readonly: false })
  await migrate(db as Kysely<unknown>)
}

const makeCountsAndSearch = async (path: string): Promise<void> => {
  await using db = openDatabase(path, { readonly: false })
  await repairDatabase({ db, repairSchema: () => repairSchema(db) })
  await clearSearch(db)
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after
    after = await db
      .transaction()
      .execute((unit) => fillSearch(unit, Date.now(), from, IMAGES_PER_UNIT))
  }
}
