import type { ImageRecords } from '#server/core/images/image-ports.ts'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import type { FileRemoval } from '#server/core/intake/file-removal.ts'
import { NameTable, timeOfName } from '#server/core/name-table.ts'
import type { Upkeep } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { assertOwnDatabase, type Comparison, hasRecord } from './own-database.ts'

/** Names read per query, which takes a few milliseconds of the event loop. */
const NAMES_PER_PAGE = 5_000

/** Names looked up per query, which takes one or two milliseconds of a database thread. */
const NAMES_PER_LOOKUP = 500

/** Pause after each background lookup, so that it uses at most half of a thread. */
export const REST_MS = 2

/** Maximum number of names in a report. Counts include all. */
export const MAX_NAMED = 50

/**
 * Files checked before a large library opens; the others are compared while the server runs. With the wrong database,
 * most files have no record: the share that upkeep sets aside would be twenty.
 */
const SAMPLE = { folders: 8, filesPerFolder: 256, maxStrays: 2, largeImages: 50_000 }

export interface ComparisonReport {
  /** Files without a record, moved to `set-aside/` and never deleted. */
  setAside: { count: number; paths: string[] }
  /** Files moved back from `set-aside/`, because their records exist again. */
  takenBack: number
  /** Records without a file. They are not deleted, because the file may come back. */
  missing: { count: number; imageNames: string[] }
}

export const nothingFound = (): ComparisonReport => ({
  setAside: { count: 0, paths: [] },
  takenBack: 0,
  missing: { count: 0, imageNames: [] },
})

export interface ComparisonParts {
  upkeep: Upkeep
  images: Pick<ImageRecords, 'listByNames'>
  files: ImageFiles
  thumbnails: Pick<ThumbnailFiles, 'remove'>
  removal: FileRemoval
  /**
   * Default: 256 files in each of eight folders. A library is large if its folders have so many files, or if it has
   * `largeImages` records, whose files may be missing.
   */
  sample?: typeof SAMPLE
}

/** Compares the files of a library with its records, and sets aside files without a record. */
export class LibraryComparison {
  readonly #parts: ComparisonParts
  readonly #startedAt: () => number
  #isClosed = false

  /** @param startedAt - Time of the server's start. Newer files may belong to an upload that has no record yet. */
  constructor(parts: ComparisonParts, startedAt: () => number) {
    this.#parts = parts
    this.#startedAt = startedAt
  }

  close(): void {
    this.#isClosed = true
  }

  /** Returns true if a sample of the files of a large library have records. Returns false for a small library. */
  async isSampleInOrder(): Promise<boolean> {
    const { files, upkeep, sample = SAMPLE } = this.#parts
    const hasManyRecords = (await upkeep.countImages()) >= sample.largeImages
    let folders = 0
    let strays = 0
    for await (const { imageNames } of files.list()) {
      if (imageNames.length < sample.filesPerFolder && !hasManyRecords) return false
      // Sorted names are in order of age: an outdated database lacks the newest ones.
      const names = imageNames.sort()
      const length = Math.min(names.length, sample.filesPerFolder)
      const step = names.length / length
      const some = Array.from({ length }, (_, at) => names[Math.ceil((at + 1) * step) - 1] ?? '')
      strays += (await upkeep.unknownNames(some)).length
      folders += 1
      if (folders === sample.folders) break
    }
    return (hasManyRecords || folders === sample.folders) && strays <= sample.maxStrays
  }

  /** @throws {LibraryError} The database does not belong to these files. No file was set aside. */
  async compare(): Promise<ComparisonReport> {
    return this.#settle(await this.#comparison())
  }

  /**
   * Compares while the server runs: in steps, with pauses between them.
   *
   * @throws {LibraryError} The same error as `compare`.
   */
  async compareInSteps(): Promise<ComparisonReport> {
    const { files, removal, upkeep } = this.#parts
    const recorded = await upkeep.countImages()
    const strays: string[] = []
    let matched = 0
    for await (const { imageNames } of files.list()) {
      if (this.#isClosed) return nothingFound()
      const unknown = await this.withoutRecord(imageNames)
      matched += imageNames.length - unknown.length
      for (const imageName of unknown) if (await this.#isOldFile(imageName)) strays.push(imageName)
    }
    const missing = matched < recorded ? await this.#missingNames() : []
    if (this.#isClosed) return nothingFound()
    // A deleted image has no record; wait until its file is deleted too.
    await removal.waitUntilDone()
    return this.#settle({ matched, missing, strays })
  }

  async withoutRecord(imageNames: readonly string[]): Promise<string[]> {
    const unknown: string[] = []
    for (let at = 0; at < imageNames.length && !this.#isClosed; at += NAMES_PER_LOOKUP) {
      const part = imageNames.slice(at, at + NAMES_PER_LOOKUP)
      unknown.push(...(await this.#parts.upkeep.unknownNames(part)))
      await new Promise((resolve) => setTimeout(resolve, REST_MS))
    }
    return unknown
  }

  /** True for names older than the start. A newer one may belong to an upload that has no record yet. */
  readonly isOld = (imageName: string): boolean => timeOfName(imageName) < this.#startedAt()

  /** The same for a file, because names from InvokeAI contain no time. */
  async #isOldFile(imageName: string): Promise<boolean> {
    if (!Number.isNaN(timeOfName(imageName))) return this.isOld(imageName)
    const found = await this.#parts.files.stat(imageName)
    return found !== null && found.changedAt < this.#startedAt()
  }

  /** Returns images without a file, except those deleted meanwhile. */
  async #missingNames(): Promise<string[]> {
    const { missing } = await this.#comparison()
    const deleted = new Set(await this.withoutRecord(missing))
    return missing.filter((imageName) => !deleted.has(imageName))
  }

  /** @throws {LibraryError} The database does not belong to these files. No file was set aside. */
  async #settle(comparison: Comparison): Promise<ComparisonReport> {
    const stillMissing = await this.#takeBack(comparison.missing)
    const takenBack = comparison.missing.length - stillMissing.length
    const matched = comparison.matched + takenBack
    await assertOwnDatabase({ ...comparison, matched, missing: stillMissing }, this.#parts)
    const setAside: ComparisonReport['setAside'] = { count: 0, paths: [] }
    for (const imageName of comparison.strays) {
      // Check again before the move, because the list may be outdated.
      if (await hasRecord(this.#parts.upkeep, imageName)) continue
      if ((await this.#parts.files.stat(imageName)) === null) continue
      const path = await this.#parts.files.setAside(imageName)
      await this.#parts.thumbnails.remove([imageName])
      setAside.count++
      if (setAside.count <= MAX_NAMED) setAside.paths.push(path)
    }
    const missing = { count: stillMissing.length, imageNames: stillMissing.slice(0, MAX_NAMED) }
    return { setAside, takenBack, missing }
  }

  async #comparison(): Promise<Comparison> {
    const recorded = await this.#recordedNames()
    const comparison: Comparison = { matched: 0, missing: [], strays: [] }
    for await (const { folder, imageNames } of this.#parts.files.list()) {
      const strays = new Set(imageNames)
      for (const imageName of recorded.namesIn(folder)) {
        if (strays.delete(imageName)) comparison.matched++
        else comparison.missing.push(imageName)
      }
      comparison.strays.push(...strays)
    }
    return comparison
  }

  /**
   * Moves missing files back from `set-aside/`, where they are if the server once ran with another database.
   *
   * @returns The names that are still missing.
   */
  async #takeBack(missing: readonly string[]): Promise<string[]> {
    if (missing.length === 0) return []
    const { files, images } = this.#parts
    const wanted = new Set(missing)
    const found = (await files.listSetAside()).filter(({ imageName }) => wanted.has(imageName))
    const records = await images.listByNames(found.map(({ imageName }) => imageName))
    const hashes = new Map(records.map((image) => [image.image_name, image.content_hash]))
    for (const file of found) {
      if (!wanted.has(file.imageName)) continue
      if ((await files.setAsideHash(file)) !== hashes.get(file.imageName)) continue
      await files.takeBack(file)
      wanted.delete(file.imageName)
    }
    return [...wanted]
  }

  async #recordedNames(): Promise<NameTable> {
    const { upkeep } = this.#parts
    const table = new NameTable()
    let after: string | null = null
    for (;;) {
      const names: string[] = await upkeep.allNames(after, NAMES_PER_PAGE)
      for (const name of names) {
        if (typeof name !== 'string') throw new Refusal('library_damaged')
        table.add(name)
      }
      after = names.at(-1) ?? null
      if (after === null || names.length < NAMES_PER_PAGE || this.#isClosed) return table
    }
  }
}
