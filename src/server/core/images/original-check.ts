import type { FileDates, ImageFiles, Original } from '#server/core/intake/file-ports.ts'
import { timeOfName } from '#server/core/name-table.ts'
import { Refusal } from '#server/core/refusal.ts'

/** Tolerance for file systems that round dates or whose clock differs from the server's. */
const DATE_SLACK_MS = 2_000

/** Maximum number of cached verified files, which take a few megabytes. */
const MAX_REMEMBERED = 50_000

/**
 * Detects original files that changed on the disk. A file last modified before its image got its name is unchanged;
 * this check costs one `stat`. A file with a later date, such as a restored one, is hashed and compared with its
 * SHA-256 once, and again only if its size or date changes. A store that knows the SHA-256 spares all of this.
 */
export class OriginalCheck {
  readonly #files: Pick<ImageFiles, 'stat' | 'contentHash'>
  /** Modification dates of verified files, by image. */
  readonly #verified = new Map<string, number>()
  readonly #running = new Map<string, Promise<boolean>>()

  constructor(files: Pick<ImageFiles, 'stat' | 'contentHash'>) {
    this.#files = files
  }

  /** @throws {Refusal} `original_damaged`, `image_not_found` if there is no file. */
  async assertWhole(image: Original): Promise<FileDates> {
    const found = await this.#files.stat(image.image_name)
    if (found === null) throw new Refusal('image_not_found')
    if (!(await this.#isUnchanged(image, found))) throw new Refusal('original_damaged')
    return found
  }

  /** @throws {Refusal} `image_not_found` if there is no file. */
  async isWhole(image: Original): Promise<boolean> {
    const state = await this.stateOf(image)
    if (state === 'missing') throw new Refusal('image_not_found')
    return state === 'whole'
  }

  async stateOf(image: Original): Promise<'whole' | 'damaged' | 'missing'> {
    const found = await this.#files.stat(image.image_name)
    if (found === null) return 'missing'
    return (await this.#isUnchanged(image, found)) ? 'whole' : 'damaged'
  }

  async #isUnchanged(
    { image_name, file_size, content_hash }: Original,
    found: FileDates,
  ): Promise<boolean> {
    if (file_size !== null && found.bytes !== file_size) return false
    if (found.contentHash !== undefined && content_hash !== null) {
      return found.contentHash === content_hash
    }
    // A name from InvokeAI contains no time, so its file is hashed once after each start.
    if (found.modifiedAt <= timeOfName(image_name) + DATE_SLACK_MS) return true
    if (this.#verified.get(image_name) === found.modifiedAt || content_hash === null) return true
    const running =
      this.#running.get(image_name) ??
      this.#verify(image_name, content_hash, found.modifiedAt).finally(() =>
        this.#running.delete(image_name),
      )
    this.#running.set(image_name, running)
    return running
  }

  async #verify(imageName: string, contentHash: string, modifiedAt: number): Promise<boolean> {
    if ((await this.#files.contentHash(imageName)) !== contentHash) return false
    if (this.#verified.size >= MAX_REMEMBERED) this.#verified.clear()
    this.#verified.set(imageName, modifiedAt)
    return true
  }
}
