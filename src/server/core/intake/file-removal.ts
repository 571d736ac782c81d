import { isVideoName } from '#contract/videos/video-formats.ts'
import type { PlayableFiles } from '#server/core/images/playable-ports.ts'
import type { Upkeep } from '#server/core/record-ports.ts'
import { onlyProcess, type ProcessLocks } from '#server/core/upkeep/process-locks.ts'
import type { ImageFiles, ThumbnailFiles } from './file-ports.ts'

const NAMES_PER_BATCH = 500

/** Delay until a process asks again that found another one at work. */
const RETRY_MS = 1_000

interface RemovalParts {
  upkeep: Pick<Upkeep, 'tombstones' | 'forgetTombstones'>
  files: Pick<ImageFiles, 'remove'>
  thumbnails: Pick<ThumbnailFiles, 'remove'>
  /** The playable copies of this process. */
  copies?: Pick<PlayableFiles, 'remove'>
  /** Default: this is the only process. */
  locks?: ProcessLocks
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
  #retry: ReturnType<typeof setTimeout> | undefined

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
    clearTimeout(this.#retry)
    await this.#running
  }

  #requestLater(): void {
    clearTimeout(this.#retry)
    if (!this.#isClosed) this.#retry = setTimeout(() => this.request(), RETRY_MS).unref()
  }

  async #run(): Promise<void> {
    const { locks = onlyProcess } = this.#parts
    try {
      while (this.#isRequested && !this.#isClosed) {
        this.#isRequested = false
        const isDone = await locks.tryRun('removal', () => this.#removeAll())
        // The other process may have read its last batch before the new tombstones.
        if (isDone === null) this.#requestLater()
      }
    } catch (error) {
      this.#parts.onFailure(error)
    } finally {
      this.#running = null
    }
  }

  async #removeAll(): Promise<true> {
    while (!this.#isClosed && (await this.#removeBatch())) {}
    return true
  }

  /** Deletes the files of one batch. Returns false if there were no tombstones. */
  async #removeBatch(): Promise<boolean> {
    const { upkeep, files, thumbnails, copies } = this.#parts
    const names = await upkeep.tombstones(NAMES_PER_BATCH)
    if (names.length === 0) return false
    await thumbnails.remove(names)
    await copies?.remove(names.filter(isVideoName))
    await files.remove(names)
    await upkeep.forgetTombstones(names)
    return true
  }
}
