import Sqlite from 'better-sqlite3'
import { RefusedTask } from './outcome.ts'
import type { ReserveFile } from './reserve-file.ts'

/** Ends of SQLite's codes where it wanted to grow a file and could not. */
const FULL = /^SQLITE_(FULL|IOERR_SHMSIZE)$/

/** Units of work that end in more space, or only mark rows: they may use the reserve. */
const MAKES_ROOM = /^(images\.remove|boards\.remove|trash\.|upkeep\.)/

/** What is done when the files of deleted images are gone: only then there is room again. */
const HAS_MADE_ROOM = 'upkeep.forgetTombstones'

/**
 * Runs a unit of work that writes. On a full disk one that makes room is given the reserve and tried again.
 *
 * @throws {RefusedTask} `disk_full`. Nothing was written.
 */
export const onFullDisk = async <T>(
  unit: string,
  reserve: ReserveFile,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    const result = await withReserve(unit, reserve, work)
    if (unit === HAS_MADE_ROOM) reserve.take()
    return result
  } catch (error) {
    throw isFull(error) ? new RefusedTask('disk_full', { cause: error }) : error
  }
}

const withReserve = async <T>(unit: string, reserve: ReserveFile, work: () => Promise<T>) => {
  try {
    return await work()
  } catch (error) {
    if (!isFull(error) || !MAKES_ROOM.test(unit)) throw error
    reserve.release()
    return work()
  }
}

/** Whether SQLite found no space for what it was to write. */
export const isFull = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && FULL.test(error.code)
