import { workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { type InvokeaiTables, readTables } from './invokeai-tables.ts'
import { openUntouched, type UntouchedDatabase } from './open-untouched.ts'

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
