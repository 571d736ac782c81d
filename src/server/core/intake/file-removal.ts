import type { Upkeep } from '#server/core/record-ports.ts'
import type { ImageFiles, ThumbnailFiles } from './file-ports.ts'

const NAMES_PER_BATCH = 500

/**
 * Deletes the files of images whose rows are deleted. A deletion first replaces rows by tombstones, then answers, and
 * only then deletes files.
 *
 * It works from the tombstones in batches, so that a caller only signals new ones, and the first request after a
 * start also handles tombstones left by a crash.
 */
export class FileRemoval {
  readonly #upkeep: Upkeep
  readonly #files: ImageFiles
  readonly #thumbnails: ThumbnailFiles
  readonly #onFailure: (error: unknown) => void
  #running: Promise<void> | null = null
  #isRequested = false
  #isClosed = false

  constructor(parts: {
    upkeep: Upkeep
    files: ImageFiles
    thumbnails: ThumbnailFiles
    /** Called with errors. The deletion is retried with the next request. */
    onFailure: (error: unknown) => void
  }) {
    this.#upkeep = parts.upkeep
    this.#files = parts.files
    this.#thumbnails = parts.thumbnails
    this.#onFailure = parts.onFailure
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
      this.#onFailure(error)
    } finally {
      this.#running = null
    }
  }

  /** Deletes the files of one batch. Returns false if there were no tombstones. */
  async #removeBatch(): Promise<boolean> {
    const names = await this.#upkeep.tombstones(NAMES_PER_BATCH)
    if (names.length === 0) return false
    await this.#thumbnails.remove(names)
    await this.#files.remove(names)
    await this.#upkeep.forgetTombstones(names)
    return true
  }
}
