import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { type InvokeaiTables, readTables } from './invokeai-tables.ts'

/** What the thread is asked, and with what. */
export type Question = {
  [Name in keyof InvokeaiTables]: { name: Name; args: Parameters<InvokeaiTables[Name]> }
}[keyof InvokeaiTables]

/** Why a database cannot be read. */
export type DatabaseFault = 'locked' | 'damaged' | 'unreadable' | 'unknown_tables'

/** Errors lose their code between threads. */
export type Answer = { value: unknown } | { fault: DatabaseFault }

const databasePath: string = workerData

let opened: { untouched: UntouchedDatabase; tables: InvokeaiTables } | null = null

/** Answers a question with one short statement. The database is opened with the first. */
export const answer = ({ name, args }: Question): Answer => {
  try {
    opened ??= open()
    if (opened === null) return { fault: 'unknown_tables' }
    const ask = opened.tables[name] as (...args: unknown[]) => unknown
    return { value: ask(...args) }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

/** Lets go of the database. */
export const close = (): void => {
  opened?.untouched.close()
  opened = null
}

const open = (): typeof opened => {
  const untouched = openUntouched(databasePath)
  const tables = readTables(untouched.database)
  if (tables !== null) return { untouched, tables }
  untouched.close()
  return null
}

const faultOf = (error: unknown): DatabaseFault => {
  if (!(error instanceof Sqlite.SqliteError)) {
    if (error instanceof Error && 'code' in error) return 'unreadable'
    throw error
  }
  if (/^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/.test(error.code)) return 'locked'
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code) ? 'damaged' : 'unreadable'
}

/** How often a copy is begun anew because the database was written meanwhile. */
const COPY_ATTEMPTS = 5

/** A database that belongs to another program, which may run. */
interface UntouchedDatabase {
  database: Sqlite.Database
  close(): void
}

/**
 * Opens another program's database for reading, and leaves nothing beside it.
 *
 * Where the program runs, SQLite's own locks let both work: no statement of ours lasts longer than a page
 * of rows. Where nobody has it open and its log is a WAL, even a reader would create two files beside it,
 * and where a crash left a journal, a reader would have to write; then a private copy is read.
 *
 * @throws {Sqlite.SqliteError} It is no database, or is damaged or locked.
 */
const openUntouched = (path: string): UntouchedDatabase => {
  if (isWal(path) && !existsSync(`${path}-shm`)) return openCopy(path)
  try {
    const database = new Sqlite(path, { readonly: true, fileMustExist: true })
    readSchema(database)
    return { database, close: () => void database.close() }
  } catch (error) {
    const needsToWrite = error instanceof Sqlite.SqliteError && /READONLY|CANTOPEN/.test(error.code)
    if (needsToWrite) return openCopy(path)
    throw error
  }
}

/** Bytes 18 and 19 of a database say how it is written: 2 is a WAL. */
const isWal = (path: string): boolean => {
  const file = openSync(path, 'r')
  try {
    const versions = Buffer.alloc(2)
    return readSync(file, versions, 0, 2, 18) === 2 && versions[0] === 2
  } finally {
    closeSync(file)
  }
}

const readSchema = (database: Sqlite.Database) =>
  database.prepare('SELECT count(*) FROM sqlite_schema').get()

const openCopy = (path: string): UntouchedDatabase => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-import-'))
  const removeCopy = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    const copy = join(folder, 'copy.db')
    copyUnchanged(path, copy)
    const database = new Sqlite(copy)
    // What its log holds moves into the copy itself, which then needs no file beside it.
    database.pragma('journal_mode = DELETE')
    readSchema(database)
    // Where the system lets it: the open file stays readable, and a crash of ours leaves nothing.
    if (process.platform !== 'win32') removeCopy()
    return {
      database,
      close: () => {
        database.close()
        removeCopy()
      },
    }
  } catch (error) {
    removeCopy()
    throw error
  }
}

/** Copies a database with its logs as they are at one moment. */
const copyUnchanged = (path: string, copy: string): void => {
  for (let attempt = 1; ; attempt++) {
    const before = stateOf(path)
    for (const log of ['', '-wal', '-journal']) {
      if (existsSync(path + log)) copyFileSync(path + log, copy + log, constants.COPYFILE_FICLONE)
      else rmSync(copy + log, { force: true })
    }
    if (stateOf(path) === before) return
    if (attempt === COPY_ATTEMPTS) throw new Sqlite.SqliteError('written meanwhile', 'SQLITE_BUSY')
  }
}

/** Changes with every write. */
const stateOf = (path: string): string =>
  ['', '-wal', '-journal']
    .map((log) => statSync(path + log, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`))
    .join('; ')
