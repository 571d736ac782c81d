import { TRASH_DAYS } from '#contract/limits.ts'
import { ActiveWork } from '#server/core/active-work.ts'
import type { Clock } from '#server/core/clock.ts'
import type { ImageRecords, View } from '#server/core/images/image-ports.ts'
import type { PendingFiles, ThumbnailFiles, ZipArchives } from '#server/core/intake/file-ports.ts'
import type { TrashRecords } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import {
  type ComparisonParts,
  type ComparisonReport,
  LibraryComparison,
  MAX_NAMED,
  nothingFound,
  REST_MS,
} from './library-comparison.ts'
import { sweepPending } from './pending-sweep.ts'
import { onlyProcess, type ProcessLocks } from './process-locks.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The view that the gallery shows first. */
const FIRST_VIEW: View = {
  isIntermediate: false,
  orderBy: 'created_at',
  orderDir: 'DESC',
  starredFirst: false,
}

/** Images skipped by one step of `prepareJumps`, which takes a few milliseconds of a database thread. */
const IMAGES_PER_STEP = 20_000

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

export interface UpkeepParts extends ComparisonParts {
  images: Pick<ImageRecords, 'listByNames' | 'page'>
  trash: Pick<TrashRecords, 'purge'>
  thumbnails: ThumbnailFiles
  zips: Pick<ZipArchives, 'sweep'>
  /** Unfinished uploads that can go on after a break. */
  uploads?: { sweep(): Promise<number> } | null
  /** Names of files that may have no record. If given, files are never compared with the records. */
  pending?: PendingFiles | undefined
  /** Default: this is the only process. */
  locks?: ProcessLocks
  /** Called if pending files were set aside after the start. */
  onSwept?: (report: ComparisonReport) => void
  clock: Clock
  /** Called if a daily purge fails. The next one is a day later. */
  onFailure: (error: unknown) => void
}

/** Makes files and records consistent when the server starts. Purges the trash then and once a day. */
export class UpkeepService {
  readonly #parts: UpkeepParts
  readonly #comparison: LibraryComparison
  readonly #active = new ActiveWork()
  #timers: ReturnType<typeof setInterval>[] = []
  #startedAt = 0
  #isComparisonDue = false
  #isClosed = false

  constructor(parts: UpkeepParts) {
    this.#parts = parts
    this.#comparison = new LibraryComparison(parts, () => this.#startedAt)
  }

  /**
   * Must end before the server listens, because it deletes temporary files. In a large library it compares only a
   * sample of the files with the records; `compareRest` compares all of them.
   *
   * @throws {LibraryError} The database does not belong to these files. No file was moved.
   */
  async start(): Promise<UpkeepReport> {
    const { files, zips, uploads, removal, onFailure } = this.#parts
    this.#startedAt = this.#parts.clock()
    const temporaries = await files.sweepTemporaries()
    const downloads = await zips.sweep()
    await uploads?.sweep()
    removal.request() // for deleted images whose files an earlier run left
    await removal.waitUntilDone()
    const compared = await this.#compare()
    const purged = await this.#purge()
    await removal.waitUntilDone()
    this.#repeat(() => this.#purge().catch(onFailure), DAY_MS)
    if (uploads) this.#repeat(() => uploads.sweep().catch(onFailure), HOUR_MS)
    const { pending, onSwept } = this.#parts
    if (pending) {
      // A store that was away may have failed to delete files. Nothing else would try again before the next deletion.
      this.#repeat(async () => removal.request(), HOUR_MS)
      this.#repeat(() => zips.sweep().catch(onFailure), HOUR_MS)
      this.#repeat(() => this.#sweepPending(pending).then(onSwept, onFailure), HOUR_MS)
    }
    return { temporaries, downloads, ...compared, purged }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#comparison.close()
    for (const timer of this.#timers) clearInterval(timer)
    await this.#active.settled()
  }

  /**
   * Deletes thumbnails without an image, which a crash can leave. Skips names newer than the start, which may belong
   * to an upload that has no record yet.
   *
   * @returns The number of images whose thumbnails were deleted.
   */
  sweepThumbnails(): Promise<number> {
    return this.#parts.pending ? Promise.resolve(0) : this.#active.track(this.#sweep())
  }

  /**
   * Compares all files with the records while the server runs, if `start` compared only a sample.
   *
   * @throws {LibraryError} The database does not belong to these files. No file was moved.
   */
  async compareRest(): Promise<ComparisonReport> {
    if (!this.#isComparisonDue) return nothingFound()
    return this.#active.track(this.#comparison.compareInSteps())
  }

  /**
   * Reads positions of the first view of a large library, in steps between other requests. The records cache these
   * positions, so that the first jump does not read the index from its start.
   *
   * @param step - Images between two positions.
   * @returns The number of steps.
   */
  prepareJumps(step = IMAGES_PER_STEP): Promise<number> {
    return this.#active.track(this.#prepareJumps(step))
  }

  #repeat(work: () => Promise<unknown>, everyMs: number): void {
    this.#timers.push(setInterval(() => void this.#active.track(work()), everyMs).unref())
  }

  async #compare(): Promise<ComparisonReport> {
    const { pending } = this.#parts
    if (pending) return this.#sweepPending(pending)
    this.#isComparisonDue = await this.#comparison.isSampleInOrder()
    return this.#isComparisonDue ? nothingFound() : this.#comparison.compare()
  }

  async #sweepPending(pending: PendingFiles): Promise<ComparisonReport> {
    const sweep = () => sweepPending({ ...this.#parts, pending })
    const paths = (await this.#unlessBusy(sweep)) ?? []
    const setAside = { count: paths.length, paths: paths.slice(0, MAX_NAMED) }
    return { ...nothingFound(), setAside }
  }

  #purge(): Promise<UpkeepReport['purged']> {
    return this.#unlessBusy(() => this.#purgeAlone()).then(
      (purged) => purged ?? { images: 0, boards: 0, isPutOff: false },
    )
  }

  /** Returns null if another process is at work. */
  #unlessBusy<T>(work: () => Promise<T>): Promise<T | null> {
    const { locks = onlyProcess } = this.#parts
    return locks.tryRun('upkeep', work)
  }

  /** Purges the trash, unless the clock may be wrong. */
  async #purgeAlone(): Promise<UpkeepReport['purged']> {
    const { trash, removal, upkeep } = this.#parts
    const now = await upkeep.now()
    const { times, isPutOff } = believe(await upkeep.getTimes(), now)
    await upkeep.setTimes(times).catch(unlessFull)
    if (isPutOff) return { images: 0, boards: 0, isPutOff }
    const result = await trash.purge(now - TRASH_DAYS * DAY_MS)
    if (result.deleted_images > 0) removal.request()
    return { images: result.deleted_images, boards: result.deleted_boards, isPutOff }
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
      const strays = (await this.#comparison.withoutRecord(imageNames)).filter(
        this.#comparison.isOld,
      )
      await this.#parts.thumbnails.remove(strays)
      removed += strays.length
    }
    return removed
  }
}
