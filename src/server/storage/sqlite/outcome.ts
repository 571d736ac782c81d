import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import type { RefusalCode } from '#contract/refusal.ts'
import { Refusal } from '#server/core/refusal.ts'

/** Result of a task. Refusals are values, because an error would lose its class and code between threads. */
export type Outcome = { value: unknown } | { refusal: RefusalCode }

/** Returns a refusal as a value. Rethrows any other error. */
export const outcomeOf = async (work: () => Promise<unknown>): Promise<Outcome> => {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.code }
    throw error
  }
}

/** Codes of failed system calls: reading, writing, flushing. A full disk has separate codes. */
const DISK_ERROR = /^SQLITE_IOERR/

/** The file of an open database was moved or deleted. */
const MOVED = /^SQLITE_READONLY_DBMOVED/

/** The file is missing, or cannot be opened for another reason. */
const CANNOT_OPEN = /^SQLITE_CANTOPEN/

export const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)/

/** Returns true for an error of SQLite with one of these codes. */
export const isSqliteError = (error: unknown, codes: RegExp): boolean =>
  error instanceof Sqlite.SqliteError && codes.test(error.code)

/**
 * Turns disk errors and damage into refusals.
 *
 * @param path - The file of the database, which is looked for if it cannot be opened.
 * @throws {Refusal} `disk_error`: a commit may or may not have been made, because the log may contain it
 *   although its flush failed. `library_away`, `library_damaged`.
 */
export const faultsAsRefusals = async <T>(work: () => Promise<T>, path?: string): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    if (isSqliteError(cause, DISK_ERROR)) throw new Refusal('disk_error', undefined, { cause })
    const isMissing = isSqliteError(cause, CANNOT_OPEN) && path !== undefined && !existsSync(path)
    if (isMissing || isSqliteError(cause, MOVED))
      throw new Refusal('library_away', undefined, { cause })
    if (isSqliteError(cause, DAMAGE)) throw new Refusal('library_damaged', undefined, { cause })
    throw cause
  }
}
