import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { RefusedTask } from './outcome.ts'

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

/** Enough for the log of a delete of thousands of images, which needs space before it frees any. */
const RESERVE_BYTES = 8 * 1024 * 1024

/**
 * Space on the disk that is given back when there is none left: SQLite writes a delete to its log first,
 * so on a full disk it refuses that as well, and nobody could ever make room.
 */
export class ReserveFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Takes the space, unless it is taken or as good as all there is. */
  take(): void {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return
    const { bavail, bsize } = statfsSync(dirname(this.#path))
    if (bavail * bsize < 2 * RESERVE_BYTES) return
    const file = openSync(this.#path, 'w')
    try {
      writeSync(file, Buffer.alloc(RESERVE_BYTES))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }

  /** Gives the space back. */
  release(): void {
    rmSync(this.#path, { force: true })
  }
}
