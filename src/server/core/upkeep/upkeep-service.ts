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

/** Names read at once: a few milliseconds of the event loop. */
const NAMES_A_PAGE = 5_000

/** Names looked up at once: a millisecond or two of a database thread. */
const NAMES_A_LOOKUP = 500

/** A rest after each lookup in the background, so that it takes at most half of a thread. */
const REST_MS = 2

/** The view that the gallery opens with. */
const FIRST_VIEW: View = {
  isIntermediate: false,
  orderBy: 'created_at',
  orderDir: 'DESC',
  starredFirst: false,
}

/** Images that one step of `prepareJumps` passes: a few milliseconds of a database thread. */
const IMAGES_A_STEP = 20_000

/** Names that a report lists; the counts are of all. */
const MAX_NAMED = 50

/**
 * Folders that a crash may leave files without a record in. Files of one commit share a folder, so this is
 * the number of commits that one crash can cut off.
 */
const MAX_FOLDERS_OF_A_CRASH = 16

/** The same for files with names from InvokeAI, which share no folder: the most that one import commits at once. */
const MAX_FOREIGN_NAMES_OF_A_CRASH = 32

/** The largest share of all files that upkeep sets aside. */
const MAX_SHARE_SET_ASIDE = 0.01

/**
 * Files that are looked up before a large library opens. The rest is compared once the server listens. With the
 * wrong database, most of them have no record: `MAX_SHARE_SET_ASIDE` of them would be twenty.
 */
const SAMPLE = { folders: 8, filesPerFolder: 256, maxStrays: 2 }

/** How files and records were made to agree. */
export interface ComparisonReport {
  /** Files without a record: moved to `set-aside/`, never deleted. */
  setAside: { count: number; paths: string[] }
  /** Files from `set-aside/` whose records are there again. */
  takenBack: number
  /** Records without a file: kept, since the file may come back. */
  missing: { count: number; imageNames: string[] }
}

/** What upkeep did, for the log. */
export interface UpkeepReport extends ComparisonReport {
  /** Temporary files of uploads that an earlier run did not finish. */
  temporaries: number
  /** Zips that nobody fetched. */
  downloads: number
  /** `isPutOff`: the clock is far ahead of the last run, so nothing was deleted. */
  purged: { images: number; boards: number; isPutOff: boolean }
}

/** A clock that is further ahead of the last purge may be wrong. */
const MAX_STEP_MS = 7 * DAY_MS

/**
 * Decides whether to believe the clock. If it is far ahead of the last purge, the server was off, or the clock is
 * wrong. A person has a day to notice: the next purge that is a day later deletes.
 *
 * @param times - `seen`: the last purge. `doubted`: since when the clock is far ahead.
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

/** A library on a full disk must open, so that images can be deleted. */
const unlessFull = (error: unknown): void => {
  if (!(error instanceof Refusal && error.code === 'disk_full')) throw error
}

const nothingFound = (): ComparisonReport => ({
  setAside: { count: 0, paths: [] },
  takenBack: 0,
  missing: { count: 0, imageNames: [] },
})

/** How the files of a library compare with its records. */
interface Comparison {
  /** Records that have their file. */
  matched: number
  /** Records without a file. */
  missing: string[]
  /** Files without a record. */
  strays: string[]
}

/** Whether one crash can have left all of these files. */
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
  /** Absent: eight folders with 256 files each. */
  sample?: typeof SAMPLE
  /** Called when a daily purge failed. The next one is a day later. */
  onFailure: (error: unknown) => void
}

/**
 * Makes files and records agree when the server starts. Purges old items from the trash then, and once a day.
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
   * Must end before the server listens, because it deletes temporary files. Of a large library, only a sample of
   * the files is compared with the records; `compareRest` does the rest.
   *
   * @throws {LibraryError} The database is not the one of these files. No file was moved.
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
    await removal.settled()
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

  /** Deletes nothing while the clock may be wrong. */
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
   * Removes thumbnails without an image, which a crash can leave. A name that is younger than the start may belong
   * to an upload whose record comes later.
   *
   * @returns How many images they were of.
   */
  sweepThumbnails(): Promise<number> {
    const sweeping = this.#sweep()
    this.#sweeping = sweeping
    return sweeping
  }

  /**
   * Compares all files with the records while the server runs, if `start` compared only a sample.
   *
   * @throws {LibraryError} The database is not the one of these files. No file was moved.
   */
  compareRest(): Promise<ComparisonReport> {
    const comparing = this.#isComparisonDue ? this.#compareRest() : Promise.resolve(nothingFound())
    this.#comparing = comparing
    return comparing
  }

  /**
   * Walks through the first view of a large library, in steps between other requests. The records then remember places
   * in it, so that the first jump does not read the index from its start.
   *
   * @param step - Images between two places.
   * @returns How many steps it took.
   */
  prepareJumps(step = IMAGES_A_STEP): Promise<number> {
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

  /** Unlinks the files of deleted images that an earlier run did not get to. */
  async #unlinkDeleted(): Promise<void> {
    this.#parts.removal.request()
    await this.#parts.removal.settled()
  }

  /** Whether the files of a large library have records, by a sample of them. False: it is small. */
  async #isSampleInOrder(): Promise<boolean> {
    const { files, upkeep, sample = SAMPLE } = this.#parts
    let folders = 0
    let strays = 0
    for await (const { imageNames } of files.list()) {
      if (imageNames.length < sample.filesPerFolder) return false
      // Names in order are in order of age: an old database lacks the newest ones.
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
    // An image that was deleted meanwhile has no record, and its file goes with it.
    await removal.settled()
    return this.#settle({ matched, missing, strays })
  }

  /** Images without a file. One that was deleted meanwhile is not missing. */
  async #missingNames(): Promise<string[]> {
    const missing: string[] = []
    for (const imageName of (await this.#comparison()).missing)
      if ((await this.#parts.files.stat(imageName)) === null && (await this.#hasRecord(imageName)))
        missing.push(imageName)
    return missing
  }

  /** A name that is younger than the start may belong to an upload whose record comes later. */
  readonly #isOld = (imageName: string): boolean => timeOfName(imageName) < this.#startedAt

  /** The same for a file; a name from InvokeAI holds no time. */
  async #isOldFile(imageName: string): Promise<boolean> {
    if (!Number.isNaN(timeOfName(imageName))) return this.#isOld(imageName)
    const found = await this.#parts.files.stat(imageName)
    return found !== null && found.changedAt < this.#startedAt
  }

  async #withoutRecord(imageNames: readonly string[]): Promise<string[]> {
    const unknown: string[] = []
    for (let at = 0; at < imageNames.length && !this.#isClosed; at += NAMES_A_LOOKUP) {
      const part = imageNames.slice(at, at + NAMES_A_LOOKUP)
      unknown.push(...(await this.#parts.upkeep.unknownNames(part)))
      await new Promise((resolve) => setTimeout(resolve, REST_MS))
    }
    return unknown
  }

  async #compare(): Promise<ComparisonReport> {
    return this.#settle(await this.#comparison())
  }

  /** @throws {LibraryError} The database is not the one of these files. No file was set aside. */
  async #settle(comparison: Comparison): Promise<ComparisonReport> {
    const stillMissing = await this.#takeBack(comparison.missing)
    const takenBack = comparison.missing.length - stillMissing.length
    const matched = comparison.matched + takenBack
    await this.#assertOwnDatabase({ ...comparison, matched, missing: stillMissing })
    const setAside: UpkeepReport['setAside'] = { count: 0, paths: [] }
    for (const imageName of comparison.strays) {
      // Look again just before the move: the list may be out of date.
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
   * Looks for missing files in `set-aside/`, where they are if the server once ran with another database.
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

  /** A crash leaves few files without a record. With the wrong database, most files have none. */
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
    // An empty library. Its very first upload may have been cut off, but older files are not its own.
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
      const names: string[] = await upkeep.allNames(after, NAMES_A_PAGE)
      for (const name of names) {
        if (typeof name !== 'string') throw new Refusal('library_damaged')
        table.add(name)
      }
      after = names.at(-1) ?? null
      if (after === null || names.length < NAMES_A_PAGE || this.#isClosed) return table
    }
  }

  async #hasRecord(imageName: string): Promise<boolean> {
    const [next] = await this.#parts.upkeep.allNames(imageName.slice(0, -1), 1)
    return next === imageName
  }
}
