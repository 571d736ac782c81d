import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '#server/core/refusal.ts'
import { isSqliteError } from './outcome.ts'

/** SQLite's error codes for a file that could not grow. */
const FULL = /^SQLITE_(FULL|IOERR_SHMSIZE)$/

/** Units of work that free space or only mark rows. They may use the reserve. */
const FREES_SPACE = /^(images\.remove|boards\.remove|trash\.|upkeep\.)/

/** Runs after the files of deleted images are removed. Only then is there space for the reserve again. */
const AFTER_REMOVAL = 'upkeep.forgetTombstones'

/** On a full disk, retries a unit that frees space with the reserve. @throws {Refusal} `disk_full`. */
export const onFullDisk = async <T>(
  unit: string,
  reserve: ReserveFile,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    const result = await work().catch((error: unknown) => {
      if (!isFull(error) || !FREES_SPACE.test(unit)) throw error
      reserve.release()
      return work()
    })
    if (unit === AFTER_REMOVAL) reserve.take()
    return result
  } catch (cause) {
    throw isFull(cause) ? new Refusal('disk_full', undefined, { cause }) : cause
  }
}

export const isFull = (error: unknown): boolean => isSqliteError(error, FULL)

/** Enough for the log of deleting thousands of images, which needs space before it frees any. */
const RESERVE_BYTES = 8 * 1024 * 1024

/** Space for deletions on a full disk. SQLite logs them first, so without it users could never free space. */
export class ReserveFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Allocates the reserve, unless it exists or would take most of the remaining space. */
  take(): void {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return
    const { bavail, bsize } = statfsSync(dirname(this.#path))
    if (bavail * bsize < 2 * RESERVE_BYTES) return
    writeFileSync(this.#path, Buffer.alloc(RESERVE_BYTES), { flush: true })
  }

  release(): void {
    rmSync(this.#path, { force: true })
  }
}
