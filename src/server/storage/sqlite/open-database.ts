import Sqlite from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteDialect, type SqliteStatement } from 'kysely'
import type { Tables } from './tables.ts'

/** Before this version, SQLite could corrupt a WAL that two connections wrote. */
const OLDEST_SQLITE = '3.51.3'

const MAX_KEPT_STATEMENTS = 300

const NOTHING_TO_ROLL_BACK = 'SELECT 1 WHERE 0'

/** A table of another program. A crash before our first migration leaves only the tables of the migrator. */
export const SELECT_FOREIGN_TABLE = `
  SELECT name FROM sqlite_schema
  WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'
    AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration')
  LIMIT 1`

/**
 * Memory for pages of the database, by connection. The system caches the file as well, so a page that is not here
 * costs a copy and no read from the disk. A writer needs more: what it changes stays here until the commit.
 */
const PAGE_CACHE_KIB = { reader: 8_192, writer: 32_768 }

/** One connection to a library. */
export const openDatabase = (path: string, options: { readonly: boolean }): Kysely<Tables> => {
  const database = new Sqlite(path, { readonly: options.readonly })
  assertVersion(database)
  // WAL would change the database of another program.
  const isForeign = database.prepare(SELECT_FOREIGN_TABLE).get() !== undefined
  if (!options.readonly && !isForeign) database.pragma('journal_mode = WAL')
  // better-sqlite3 sets WAL to NORMAL, which loses acknowledged commits in a power cut.
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('busy_timeout = 5000')
  const cacheKib = options.readonly ? PAGE_CACHE_KIB.reader : PAGE_CACHE_KIB.writer
  database.pragma(`cache_size = -${cacheKib}`)
  database.pragma('temp_store = MEMORY')
  // A log that one large change made long is cut again, instead of filling the disk for good.
  database.pragma('journal_size_limit = 16777216')
  return new Kysely<Tables>({
    dialect: new WholeMigrations({ database: keepingStatements(database) }),
  })
}

/** SQLite can take back changes of the schema; kysely would leave a migration half done. */
class WholeMigrations extends SqliteDialect {
  override createAdapter() {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl() {
        return true
      }
    })()
  }
}

const assertVersion = (database: Sqlite.Database) => {
  const version = String(database.prepare('SELECT sqlite_version()').pluck().get())
  if (version.localeCompare(OLDEST_SQLITE, 'en', { numeric: true }) < 0)
    throw new Error(`SQLite ${version} is too old for a shared WAL: ${OLDEST_SQLITE} or newer`)
}

/**
 * kysely prepares a statement at each call; here the same text is prepared once.
 *
 * SQLite has rolled back already where the disk was full. kysely rolls back once more, and the error of
 * that would hide the first one.
 */
const keepingStatements = (database: Sqlite.Database) => {
  const statements = new Map<string, SqliteStatement>()
  const prepare = (text: string): SqliteStatement => {
    const kept = statements.get(text)
    if (kept !== undefined) return kept
    const statement = database.prepare(text)
    if (statements.size >= MAX_KEPT_STATEMENTS) statements.clear()
    statements.set(text, statement)
    return statement
  }
  return {
    prepare: (text: string) =>
      prepare(text === 'rollback' && !database.inTransaction ? NOTHING_TO_ROLL_BACK : text),
    close: () => void database.close(),
  }
}
