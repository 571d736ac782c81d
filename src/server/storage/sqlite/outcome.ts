import Sqlite from 'better-sqlite3'
import type { RefusalCode } from '#contract/refusal.ts'

/** What a task answers across the thread boundary, where an error would lose its class and its code. */
export type Outcome = { value: unknown } | { refusal: RefusalCode }

/** A refusal on the side of a database thread, which loads nothing of the contract but types. */
export class RefusedTask extends Error {
  override readonly name = 'RefusedTask'
  readonly code: RefusalCode

  constructor(code: RefusalCode, options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}

/** Turns a refusal into something that can cross; any other error is thrown on. */
export const outcomeOf = async (work: () => Promise<unknown>): Promise<Outcome> => {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof RefusedTask) return { refusal: error.code }
    throw error
  }
}

/** Every code of a system call that failed: reading, writing, flushing. A full disk has codes of its own. */
const DISK_ERROR = /^SQLITE_IOERR/

const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)/

/** Turns errors of the disk and damage into refusals.
 *
 * @throws {RefusedTask} `disk_error`: whether a commit was made is unknown, because the log may hold it although
 *   its flush failed. `library_damaged`.
 */
export const namingFaults = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Sqlite.SqliteError ? error.code : ''
    if (DISK_ERROR.test(code)) throw new RefusedTask('disk_error', { cause: error })
    if (DAMAGE.test(code)) throw new RefusedTask('library_damaged', { cause: error })
    throw error
  }
}
