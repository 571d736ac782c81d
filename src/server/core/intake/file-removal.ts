import type { Upkeep } from '#server/core/record-ports.ts'
import type { ImageFiles, ThumbnailFiles } from './file-ports.ts'

const NAMES_PER_BATCH = 500

interface RemovalParts {
  upkeep: Pick<Upkeep, 'tombstones' | 'forgetTombstones'>
  files: Pick<ImageFiles, 'remove'>
  thumbnails: Pick<ThumbnailFiles, 'remove'>
  /** Called with errors. The deletion is retried with the next request. */
  onFailure: (error: unknown) => void
}

/**
 * Deletes the files of images whose rows are deleted. A deletion first replaces rows by tombstones, then answers, and
 * only then deletes files.
 *
 * It works from the tombstones in batches, so that a caller only signals new ones, and the first request after a
 * start also handles tombstones left by a crash.
 */
export class FileRemoval {
  readonly #parts: RemovalParts
  #running: Promise<void> | null = null
  #isRequested = false
  #isClosed = false

  constructor(parts: RemovalParts) {
    this.#parts = parts
  }

  /** Signals new tombstones. Returns at once; files are deleted in the background. */
  request(): void {
    this.#isRequested = true
    this.#running ??= this.#run()
  }

  async waitUntilDone(): Promise<void> {
    await this.#running
  }

  /** Stops after the current batch. The remaining tombstones are handled after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      while (this.#isRequested && !this.#isClosed) {
        this.#isRequested = false
        while (!this.#isClosed && (await this.#removeBatch())) {}
      }
    } catch (error) {
      this.#parts.onFailure(error)
    } finally {
      this.#running = null
    }
  }

  /** Deletes the files of one batch. Returns false if there were no tombstones. */
  async #removeBatch(): Promise<boolean> {
    const { upkeep, files, thumbnails } = this.#parts
    const names = await upkeep.tombstones(NAMES_PER_BATCH)
    if (names.length === 0) return false
    await thumbnails.remove(names)
    await files.remove(names)
    await upkeep.forgetTombstones(names)
    return true
  }
}
