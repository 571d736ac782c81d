import Sqlite from 'better-sqlite3'
import type { RefusalCode } from '#contract/refusal.ts'

/** Result of a task. Refusals are values, because an error would lose its class and code between threads. */
export type Outcome = { value: unknown } | { refusal: RefusalCode }

/** A refusal within a database thread, which imports only types of the contract. */
export class RefusedTask extends Error {
  override readonly name = 'RefusedTask'
  readonly code: RefusalCode

  constructor(code: RefusalCode, options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}

/** Returns a refusal as a value. Rethrows any other error. */
export const outcomeOf = async (work: () => Promise<unknown>): Promise<Outcome> => {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof RefusedTask) return { refusal: error.code }
    throw error
  }
}

/** Codes of failed system calls: reading, writing, flushing. A full disk has separate codes. */
const DISK_ERROR = /^SQLITE_IOERR/

const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)/

/**
 * Turns disk errors and damage into refusals.
 *
 * @throws {RefusedTask} `disk_error`: a commit may or may not have been made, because the log may contain it
 *   although its flush failed. `library_damaged`.
 */
export const faultsAsRefusals = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Sqlite.SqliteError ? error.code : ''
    if (DISK_ERROR.test(code)) throw new RefusedTask('disk_error', { cause: error })
    if (DAMAGE.test(code)) throw new RefusedTask('library_damaged', { cause: error })
    throw error
  }
}
