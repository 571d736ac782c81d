import Sqlite from 'better-sqlite3'
import { Kysely, type SqliteStatement } from 'kysely'
import type { Tables } from '#server/storage/sql/tables.ts'
import { LibraryDialect } from './sqlite-dialect.ts'

/** Before this version, SQLite could corrupt a WAL with two writing connections. */
const OLDEST_SQLITE = '3.51.3'

const MAX_CACHED_STATEMENTS = 300

const NOTHING_TO_ROLL_BACK = 'SELECT 1 WHERE 0'

/** Selects a table of another program. A crash before the first migration leaves only the tables of the migrator. */
export const SELECT_FOREIGN_TABLE = `
  SELECT name FROM sqlite_schema
  WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'
    AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration')
  LIMIT 1`

/**
 * Page cache per connection. The system caches the file as well, so a page that is missing here costs a copy but no
 * read from disk. A writer needs more, because changed pages stay in this cache until the commit.
 */
const PAGE_CACHE_KIB = { reader: 8_192, writer: 32_768 }

export const openDatabase = (path: string, options: { readonly: boolean }): Kysely<Tables> => {
  const database = new Sqlite(path, { readonly: options.readonly })
  assertVersion(database)
  // WAL mode would modify the database of another program.
  const isForeign = database.prepare(SELECT_FOREIGN_TABLE).get() !== undefined
  if (!options.readonly && !isForeign) database.pragma('journal_mode = WAL')
  // better-sqlite3 defaults to NORMAL in WAL mode, which loses acknowledged commits on a power failure.
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('busy_timeout = 5000')
  const cacheKib = options.readonly ? PAGE_CACHE_KIB.reader : PAGE_CACHE_KIB.writer
  database.pragma(`cache_size = -${cacheKib}`)
  database.pragma('temp_store = MEMORY')
  // Truncates a log that one large change has made long. Otherwise it would keep its size.
  database.pragma('journal_size_limit = 16777216')
  return new Kysely<Tables>({
    dialect: new LibraryDialect({ database: cachingStatements(database) }),
  })
}

const assertVersion = (database: Sqlite.Database) => {
  const version = String(database.prepare('SELECT sqlite_version()').pluck().get())
  if (version.localeCompare(OLDEST_SQLITE, 'en', { numeric: true }) < 0)
    throw new Error(`SQLite ${version} is too old for a shared WAL: ${OLDEST_SQLITE} or newer`)
}

/**
 * Caches prepared statements by text, because kysely prepares a statement for each call.
 *
 * On a full disk, SQLite has already rolled back. kysely rolls back again, and the error of that would hide the
 * original one.
 */
const cachingStatements = (database: Sqlite.Database) => {
  const statements = new Map<string, SqliteStatement>()
  const prepare = (text: string): SqliteStatement => {
    const cached = statements.get(text)
    if (cached !== undefined) return cached
    const statement = database.prepare(text)
    if (statements.size >= MAX_CACHED_STATEMENTS) statements.clear()
    statements.set(text, statement)
    return statement
  }
  return {
    prepare: (text: string) =>
      prepare(text === 'rollback' && !database.inTransaction ? NOTHING_TO_ROLL_BACK : text),
    close: () => void database.close(),
  }
}
