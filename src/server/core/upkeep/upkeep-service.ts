import { TRASH_DAYS } from '#contract/limits.ts'
import type { Clock } from '#server/core/clock.ts'
import type { ImageRecords, View } from '#server/core/images/image-ports.ts'
import type { ImageFiles, ThumbnailFiles, ZipArchives } from '#server/core/intake/file-ports.ts'
import type { FileRemoval } from '#server/core/intake/file-removal.ts'
import { folderOfName, NameTable, timeOfName } from '#server/core/name-table.ts'
import type { TrashRecords, Upkeep } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { LibraryError, WHAT_TO_DO } from './library-state.ts'

const DAY_MS = 86_400_000

/** Names read per query, which takes a few milliseconds of the event loop. */
const NAMES_PER_PAGE = 5_000

/** Names looked up per query, which takes one or two milliseconds of a database thread. */
const NAMES_PER_LOOKUP = 500

/** Pause after each background lookup, so that it uses at most half of a thread. */
const REST_MS = 2

/** The view that the gallery shows first. */
const FIRST_VIEW: View = {
  isIntermediate: false,
  orderBy: 'created_at',
  orderDir: 'DESC',
  starredFirst: false,
}

/** Images skipped by one step of `prepareJumps`, which takes a few milliseconds of a database thread. */
const IMAGES_PER_STEP = 20_000

/** Maximum number of names in a report. Counts include all. */
const MAX_NAMED = 50

/**
 * Maximum number of folders in which one crash leaves files without a record. Files of one commit share a folder, so
 * this is the number of commits that one crash can interrupt.
 */
const MAX_FOLDERS_OF_A_CRASH = 16

/** The same limit for files with InvokeAI names, which share no folder: the size of the largest import commit. */
const MAX_FOREIGN_NAMES_OF_A_CRASH = 32

/** Largest share of all files that upkeep sets aside. */
const MAX_SHARE_SET_ASIDE = 0.01

/**
 * Files checked before a large library opens; the others are compared while the server runs. With the wrong database,
 * most files have no record: `MAX_SHARE_SET_ASIDE` of the sample would be twenty.
 */
const SAMPLE = { folders: 8, filesPerFolder: 256, maxStrays: 2 }

/** Result of comparing files and records. */
export interface ComparisonReport {
  /** Files without a record, moved to `set-aside/` and never deleted. */
  setAside: { count: number; paths: string[] }
  /** Files moved back from `set-aside/`, because their records exist again. */
  takenBack: number
  /** Records without a file. They are not deleted, because the file may come back. */
  missing: { count: number; imageNames: string[] }
}

/** Result of the upkeep at the start, for the log. */
export interface UpkeepReport extends ComparisonReport {
  /** Deleted temporary files of unfinished uploads. */
  temporaries: number
  /** Deleted zips that were not downloaded. */
  downloads: number
  /** `isPutOff`: nothing was deleted, because the clock is far ahead of the last run. */
  purged: { images: number; boards: number; isPutOff: boolean }
}

/** A clock further ahead of the last purge than this may be wrong. */
const MAX_STEP_MS = 7 * DAY_MS

/**
 * Decides if the clock can be trusted. If it is far ahead of the last purge, either the server was off or the clock
 * is wrong. The user has a day to notice: only a purge at least a day later deletes.
 *
 * @param times - `seen`: time of the last purge. `doubted`: time since when the clock is far ahead.
 */
export const believe = (
  { seen, doubted }: Readonly<Record<string, number>>,
  now: number,
): { times: Record<string, number>; isPutOff: boolean } => {
  if (doubted !== undefined && now >= doubted) {
    const isPutOff = now - doubted < DAY_MS
    return { times: isPutOff ? { doubted } : { seen: now }, isPutOff }
  }
  if (seen !== undefined && now - seen > MAX_STEP_MS) {
    return { times: { doubted: now }, isPutOff: true }
  }
  return { times: { seen: now }, isPutOff: false }
}

/** Ignores a full disk: the library must open, so that images can be deleted. */
const unlessFull = (error: unknown): void => {
  if (!(error instanceof Refusal && error.code === 'disk_full')) throw error
}

const nothingFound = (): ComparisonReport => ({
  setAside: { count: 0, paths: [] },
  takenBack: 0,
  missing: { count: 0, imageNames: [] },
})

/** Differences between the files and records of a library. */
interface Comparison {
  /** Number of records with a file. */
  matched: number
  /** Records without a file. */
  missing: string[]
  /** Files without a record. */
  strays: string[]
}

/** True if a single crash can have left all of these files. */
const isOneCrash = (strays: readonly string[]): boolean => {
  const own = strays.filter((imageName) => !Number.isNaN(timeOfName(imageName)))
  const folders = new Set(own.map(folderOfName))
  const foreignNames = strays.length - own.length
  return folders.size <= MAX_FOLDERS_OF_A_CRASH && foreignNames <= MAX_FOREIGN_NAMES_OF_A_CRASH
}

export interface UpkeepParts {
  upkeep: Upkeep
  images: Pick<ImageRecords, 'listByNames' | 'page'>
  trash: Pick<TrashRecords, 'purge'>
  files: ImageFiles
  thumbnails: ThumbnailFiles
  zips: Pick<ZipArchives, 'sweep'>
  removal: FileRemoval
  clock: Clock
  /** Default: eight folders with 256 files each. */
  sample?: typeof SAMPLE
  /** Called if a daily purge fails. The next one is a day later. */
  onFailure: (error: unknown) => void
}

/**
 * Makes files and records consistent when the server starts. Purges old items from the trash at the start and once a
 * day.
 */
export class UpkeepService {
  readonly #parts: UpkeepParts
  #timer: ReturnType<typeof setInterval> | undefined
  #startedAt = 0
  #sweeping: Promise<unknown> = Promise.resolve()
  #comparing: Promise<unknown> = Promise.resolve()
  #preparing: Promise<unknown> = Promise.resolve()
  #isComparisonDue = false
  #isClosed = false

  constructor(parts: UpkeepParts) {
    this.#parts = parts
  }

  /**
   * Must end before the server listens, because it deletes temporary files. In a large library it compares only a
   * sample of the files with the records; `compareRest` compares all of them.
   *
   * @throws {LibraryError} The database does not belong to these files. No file was moved.
   */
  async start(): Promise<UpkeepReport> {
    const { files, zips, removal, onFailure } = this.#parts
    this.#startedAt = this.#parts.clock()
    const temporaries = await files.sweepTemporaries()
    const downloads = await zips.sweep()
    await this.#unlinkDeleted()
    this.#isComparisonDue = await this.#isSampleInOrder()
    const compared = this.#isComparisonDue ? nothingFound() : await this.#compare()
    const purged = await this.#purge()
    await removal.waitUntilDone()
    this.#timer = setInterval(() => {
      this.#purge().catch(onFailure)
    }, DAY_MS)
    this.#timer.unref()
    return { temporaries, downloads, ...compared, purged }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.allSettled([this.#sweeping, this.#comparing, this.#preparing]) // their callers handle the errors
  }

  /** Purges the trash, unless the clock may be wrong. */
  async #purge(): Promise<UpkeepReport['purged'] & { isPutOff: boolean }> {
    const { trash, removal, clock, upkeep } = this.#parts
    const now = clock()
    const { times, isPutOff } = believe(await upkeep.getTimes(), now)
    await upkeep.setTimes(times).catch(unlessFull)
    if (isPutOff) return { images: 0, boards: 0, isPutOff }
    const result = await trash.purge(now - TRASH_DAYS * DAY_MS)
    if (result.deleted_images > 0) removal.request()
    return { images: result.deleted_images, boards: result.deleted_boards, isPutOff }
  }

  /**
   * Deletes thumbnails without an image, which a crash can leave. Skips names newer than the start, which may belong
   * to an upload that has no record yet.
   *
   * @returns The number of images whose thumbnails were deleted.
   */
  sweepThumbnails(): Promise<number> {
    const sweeping = this.#sweep()
    this.#sweeping = sweeping
    return sweeping
  }

  /**
   * Compares all files with the records while the server runs, if `start` compared only a sample.
   *
   * @throws {LibraryError} The database does not belong to these files. No file was moved.
   */
  compareRest(): Promise<ComparisonReport> {
    const comparing = this.#isComparisonDue ? this.#compareRest() : Promise.resolve(nothingFound())
    this.#comparing = comparing
    return comparing
  }

  /**
   * Reads positions of the first view of a large library, in steps between other requests. The records cache these
   * positions, so that the first jump does not read the index from its start.
   *
   * @param step - Images between two positions.
   * @returns The number of steps.
   */
  prepareJumps(step = IMAGES_PER_STEP): Promise<number> {
    const preparing = this.#prepareJumps(step)
    this.#preparing = preparing
    return preparing
  }

  async #prepareJumps(step: number): Promise<number> {
    const { images } = this.#parts
    for (let steps = 0; ; steps += 1) {
      if (this.#isClosed) return steps
      const offset = (steps + 1) * step
      const page = await images.page(FIRST_VIEW, { offset, limit: 1 })
      if (page === null || page.items.length === 0) return steps
      await new Promise((resolve) => setTimeout(resolve, REST_MS))
    }
  }

  async #sweep(): Promise<number> {
    let removed = 0
    for await (const { imageNames } of this.#parts.thumbnails.list()) {
      if (this.#isClosed) break
      const strays = (await this.#withoutRecord(imageNames)).filter(this.#isOld)
      await this.#parts.thumbnails.remove(strays)
      removed += strays.length
    }
    return removed
  }

  /** Deletes files of deleted images that an earlier run left. */
  async #unlinkDeleted(): Promise<void> {
    this.#parts.removal.request()
    await this.#parts.removal.waitUntilDone()
  }

  /** Returns true if a sample of the files of a large library have records. Returns false for a small library. */
  async #isSampleInOrder(): Promise<boolean> {
    const { files, upkeep, sample = SAMPLE } = this.#parts
    let folders = 0
    let strays = 0
    for await (const { imageNames } of files.list()) {
      if (imageNames.length < sample.filesPerFolder) return false
      // Sorted names are in order of age: an outdated database lacks the newest ones.
      const names = imageNames.sort()
      const step = names.length / sample.filesPerFolder
      const some = Array.from(
        { length: sample.filesPerFolder },
        (_, at) => names[Math.ceil((at + 1) * step) - 1] ?? '',
      )
      strays += (await upkeep.unknownNames(some)).length
      folders += 1
      if (folders === sample.folders) break
    }
    return folders === sample.folders && strays <= sample.maxStrays
  }

  async #compareRest(): Promise<ComparisonReport> {
    const { files, removal, upkeep } = this.#parts
    const recorded = await upkeep.countImages()
    const strays: string[] = []
    let matched = 0
    for await (const { imageNames } of files.list()) {
      if (this.#isClosed) return nothingFound()
      const unknown = await this.#withoutRecord(imageNames)
      matched += imageNames.length - unknown.length
      for (const imageName of unknown) if (await this.#isOldFile(imageName)) strays.push(imageName)
    }
    const missing = matched < recorded ? await this.#missingNames() : []
    if (this.#isClosed) return nothingFound()
    // A deleted image has no record; wait until its file is deleted too.
    await removal.waitUntilDone()
    return this.#settle({ matched, missing, strays })
  }

  /** Returns images without a file, except those deleted meanwhile. */
  async #missingNames(): Promise<string[]> {
    const missing: string[] = []
    for (const imageName of (await this.#comparison()).missing)
      if ((await this.#parts.files.stat(imageName)) === null && (await this.#hasRecord(imageName)))
        missing.push(imageName)
    return missing
  }

  /** True for names older than the start. A newer one may belong to an upload that has no record yet. */
  readonly #isOld = (imageName: string): boolean => timeOfName(imageName) < this.#startedAt

  /** The same for a file, because names from InvokeAI contain no time. */
  async #isOldFile(imageName: string): Promise<boolean> {
    if (!Number.isNaN(timeOfName(imageName))) return this.#isOld(imageName)
    const found = await this.#parts.files.stat(imageName)
    return found !== null && found.changedAt < this.#startedAt
  }

  async #withoutRecord(imageNames: readonly string[]): Promise<string[]> {
    const unknown: string[] = []
    for (let at = 0; at < imageNames.length && !this.#isClosed; at += NAMES_PER_LOOKUP) {
      const part = imageNames.slice(at, at + NAMES_PER_LOOKUP)
      unknown.push(...(await this.#parts.upkeep.unknownNames(part)))
      await new Promise((resolve) => setTimeout(resolve, REST_MS))
    }
    return unknown
  }

  async #compare(): Promise<ComparisonReport> {
    return this.#settle(await this.#comparison())
  }

  /** @throws {LibraryError} The database does not belong to these files. No file was set aside. */
  async #settle(comparison: Comparison): Promise<ComparisonReport> {
    const stillMissing = await this.#takeBack(comparison.missing)
    const takenBack = comparison.missing.length - stillMissing.length
    const matched = comparison.matched + takenBack
    await this.#assertOwnDatabase({ ...comparison, matched, missing: stillMissing })
    const setAside: UpkeepReport['setAside'] = { count: 0, paths: [] }
    for (const imageName of comparison.strays) {
      // Check again before the move, because the list may be outdated.
      if (await this.#hasRecord(imageName)) continue
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
      if ((await files.contentHash(file.path)) !== hashes.get(file.imageName)) continue
      await files.takeBack(file)
      wanted.delete(file.imageName)
    }
    return [...wanted]
  }

  /**
   * Throws if most files have no record. A crash leaves only few such files; the wrong database has records of few
   * files.
   */
  async #assertOwnDatabase(comparison: Comparison): Promise<void> {
    const { matched, strays } = comparison
    if (strays.length === 0 || !(await this.#isForeign(comparison))) return
    const all = matched + strays.length
    throw new LibraryError(
      `${strays.length} of ${all} files in images/ have no record in tessera.db, so it is probably the database of another library or an old one. ${WHAT_TO_DO}`,
    )
  }

  async #isForeign({ matched, missing, strays }: Comparison): Promise<boolean> {
    if (matched > 0) {
      const share = strays.length / (matched + strays.length)
      return !isOneCrash(strays) && share > MAX_SHARE_SET_ASIDE
    }
    if (missing.length > 0 || !isOneCrash(strays)) return true
    // The library is empty. A crash may have interrupted its first upload, but older files do not belong to it.
    const madeAt = await this.#parts.upkeep.madeAt()
    for (const imageName of strays) {
      const namedAt = timeOfName(imageName)
      if (namedAt < madeAt) return true
      if (!Number.isNaN(namedAt)) continue
      const found = await this.#parts.files.stat(imageName)
      if (found !== null && found.changedAt < madeAt) return true
    }
    return false
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

  async #hasRecord(imageName: string): Promise<boolean> {
    const [next] = await this.#parts.upkeep.allNames(imageName.slice(0, -1), 1)
    return next === imageName
  }
}
