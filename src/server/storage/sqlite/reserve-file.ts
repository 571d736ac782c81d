import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

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
