import type { Upkeep } from '#server/core/record-ports.ts'
import type { ImageFiles, ThumbnailFiles } from './file-ports.ts'

const NAMES_A_TURN = 500

/**
 * Unlinks the files of images whose rows are gone (design 3: rows out and tombstones in, answer, then unlink).
 *
 * It works from the tombstones, one turn after the other, so a caller only says that there are some, and
 * what a crash left is taken up by the first request after the next start.
 */
export class FileRemoval {
  readonly #upkeep: Upkeep
  readonly #files: ImageFiles
  readonly #thumbnails: ThumbnailFiles
  readonly #onFailure: (error: unknown) => void
  #underWay: Promise<void> | null = null
  #isRequested = false
  #isClosed = false

  constructor(parts: {
    upkeep: Upkeep
    files: ImageFiles
    thumbnails: ThumbnailFiles
    /** Told of what could not be unlinked. It is tried again at the next request. */
    onFailure: (error: unknown) => void
  }) {
    this.#upkeep = parts.upkeep
    this.#files = parts.files
    this.#thumbnails = parts.thumbnails
    this.#onFailure = parts.onFailure
  }

  /** Says that rows went. Returns at once; the files go in the background. */
  request(): void {
    this.#isRequested = true
    this.#underWay ??= this.#run()
  }

  /** Waits until nothing is left to do. */
  async settled(): Promise<void> {
    await this.#underWay
  }

  /** Ends after the turn under way. The rest keeps its tombstones for the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#underWay
  }

  async #run(): Promise<void> {
    try {
      while (this.#isRequested && !this.#isClosed) {
        this.#isRequested = false
        while (!this.#isClosed && (await this.#turn())) {}
      }
    } catch (error) {
      this.#onFailure(error)
    } finally {
      this.#underWay = null
    }
  }

  /** false: there were none left. */
  async #turn(): Promise<boolean> {
    const names = await this.#upkeep.tombstones(NAMES_A_TURN)
    if (names.length === 0) return false
    await this.#thumbnails.remove(names)
    await this.#files.remove(names)
    await this.#upkeep.forgetTombstones(names)
    return true
  }
}
