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

export type Question = {
  [Name in keyof InvokeaiTables]: { name: Name; args: Parameters<InvokeaiTables[Name]> }
}[keyof InvokeaiTables]

export type DatabaseFault = 'locked' | 'damaged' | 'unreadable' | 'unknown_tables'

/** The result of a query. Faults are values, because errors lose their code between threads. */
export type Answer = { value: unknown } | { fault: DatabaseFault }

const databasePath: string = workerData

let opened: { untouched: ReturnType<typeof openCopy>; tables: InvokeaiTables } | null = null

/** Runs one short query. The first one opens the database. */
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

/** Attempts to copy a database that is being written at the same time. */
const COPY_ATTEMPTS = 5

/**
 * Opens another program's database for reading without creating files next to it.
 *
 * While the program runs, SQLite's locks let both work, and none of our statements takes longer than a page of rows.
 * If no process has the database open and it uses a WAL, even a reader would create two files next to it. If a crash
 * left a journal, a reader would have to write. In both cases a private copy is read.
 *
 * @throws {Sqlite.SqliteError} It is not a database, or is damaged or locked.
 */
const openUntouched = (path: string) => {
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

/** Bytes 18 and 19 of a database are the format versions: 2 means WAL. */
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

const openCopy = (path: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-import-'))
  const removeCopy = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    const copy = join(folder, 'copy.db')
    copyUnchanged(path, copy)
    const database = new Sqlite(copy)
    // Moves the content of the log into the copy, which then needs no other files.
    database.pragma('journal_mode = DELETE')
    readSchema(database)
    // Removed while open, where the system allows it: the open file stays readable, and a crash leaves no files
    // behind.
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

/** Copies a database with its logs in a consistent state. */
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

/** Returns a value that changes with every write. */
const stateOf = (path: string): string =>
  ['', '-wal', '-journal']
    .map((log) => statSync(path + log, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`))
    .join('; ')
