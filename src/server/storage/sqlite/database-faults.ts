import Sqlite from 'better-sqlite3'
import { RefusedTask } from './outcome.ts'

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
