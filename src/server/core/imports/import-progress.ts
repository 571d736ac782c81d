import type {
  AddedImage,
  AddedImagePage,
  Import,
  ImportRefusal,
  ImportRefusalPage,
  ImportState,
} from '#contract/import.ts'
import { MAX_KEPT_ADDED_IMAGES, MAX_KEPT_REFUSALS, MAX_NAMED_REFUSALS } from '#contract/limits.ts'
import { type Clock, renderTimestamp } from '#server/core/clock.ts'
import type { ActiveImport, ImportCounts, ImportPlan } from './active-imports.ts'
import type { ImportNews } from './import-news.ts'
import type { ImportSource } from './import-ports.ts'

/** The rate is measured over the last seconds, because known files are faster than new ones. */
const RATE_MS = 10_000
const RATE_STEP_MS = 250

export class ImportProgress {
  #state: ImportState = 'running'
  #error: string | null = null
  readonly #counts = { found: 0, is_counted: false, taken_in: 0, linked: 0, known: 0, refused: 0 }
  #videos = 0
  readonly #refusals: ImportRefusal[] = []
  readonly #added: AddedImage[] = []
  readonly #plan: ImportPlan
  readonly #clock: Clock
  readonly #news: Pick<ImportNews, 'reportState' | 'reportProgress'>
  readonly #leftFiles: NonNullable<ImportSource['leftFiles']>
  readonly #startedAt: number
  #endedAt: number | null = null
  #marks: { at: number; done: number }[]

  constructor(
    plan: ImportPlan,
    parts: { clock: Clock; news: ImportNews },
    leftFiles?: ImportSource['leftFiles'],
  ) {
    const { clock, news } = parts
    this.#plan = plan
    this.#news = news
    this.#leftFiles = leftFiles ?? (() => new Map())
    this.#clock = clock
    this.#startedAt = clock()
    this.#marks = [{ at: this.#startedAt, done: 0 }]
  }

  get importId(): string {
    return this.#plan.import_id
  }

  get state(): ImportState {
    return this.#state
  }

  /** Sets a state in which the import can go on. */
  set state(state: ImportState) {
    this.#state = state
    this.#news.reportState()
  }

  /** Names the reason of a pause. */
  set error(error: string) {
    this.#error = error
    this.#news.reportState()
  }

  get #done(): number {
    return this.#counts.taken_in + this.#counts.known + this.#counts.refused
  }

  get counts(): ImportCounts {
    return { ...this.#counts, found: Math.max(this.#counts.found, this.#done) }
  }

  /** Counts a file ahead of the import. */
  countFound(): void {
    this.#counts.found++
    this.#news.reportProgress()
  }

  /** Notes that `countFound` has counted all files. */
  endCounting(): void {
    this.#counts.is_counted = true
    this.#news.reportProgress()
  }

  addRefusal(refusal: ImportRefusal): void {
    this.#counts.refused++
    if (this.#refusals.length < MAX_KEPT_REFUSALS) this.#refusals.push(refusal)
    this.#step()
  }

  countTakenIn({ isLinked, isVideo }: { isLinked: boolean; isVideo: boolean }): void {
    this.#counts.taken_in++
    if (isLinked) this.#counts.linked++
    if (isVideo) this.#videos++
    this.#step()
  }

  /** Stores an image that was added, so that clients can undo the import. */
  noteAdded(image: AddedImage): void {
    if (this.#added.length < MAX_KEPT_ADDED_IMAGES) this.#added.push(image)
  }

  countKnown(): void {
    this.#counts.known++
    this.#step()
  }

  #step(): void {
    this.#news.reportProgress()
    const at = this.#clock()
    const last = this.#marks.at(-1)
    if (last !== undefined && at - last.at < RATE_STEP_MS) return
    this.#marks.push({ at, done: this.#done })
    this.#marks = this.#marks.filter((mark) => at - mark.at <= RATE_MS)
  }

  /** Continues after a pause and restarts the rate, so that it does not include the pause. */
  resumeAs(state: ImportState): void {
    this.#error = null
    this.#marks = [{ at: this.#clock(), done: this.#done }]
    this.state = state
  }

  end(state: ImportState): void {
    this.#endedAt = this.#clock()
    this.state = state
  }

  fail(error: string): void {
    this.#error = error
    this.end('failed')
  }

  get isEnded(): boolean {
    return this.#endedAt !== null
  }

  toImport(): Import {
    const { counts } = this
    const rate = this.#rate()
    const left = rate === null || !counts.is_counted ? null : (counts.found - this.#done) / rate
    return {
      ...this.#plan,
      ...counts,
      videos: this.#videos,
      left_files: Object.fromEntries(this.#leftFiles()),
      state: this.state,
      error: this.#error,
      refusals: this.#refusals.slice(0, MAX_NAMED_REFUSALS),
      images_per_second: rate,
      seconds_left: this.isEnded ? null : left,
      started_at: renderTimestamp(this.#startedAt),
      ended_at: this.#endedAt === null ? null : renderTimestamp(this.#endedAt),
    }
  }

  /** Returns a page of the stored refusals. All refusals are counted, but only the first ones are stored. */
  refusals({ offset, limit }: { offset: number; limit: number }): ImportRefusalPage {
    const items = this.#refusals.slice(offset, offset + limit)
    return { limit, offset, total: this.#refusals.length, items }
  }

  added({ offset, limit }: { offset: number; limit: number }): AddedImagePage {
    const items = this.#added.slice(offset, offset + limit)
    return { limit, offset, total: this.#added.length, items }
  }

  /** Drops the added images, and all refusals except those that `toImport` lists. */
  shorten(): void {
    this.#added.length = 0
    this.#refusals.splice(MAX_NAMED_REFUSALS)
  }

  /** Returns the state to store for a resume after a crash. */
  toActiveImport(): ActiveImport {
    const { dry_run: _, ...plan } = this.#plan
    return { ...plan, ...this.counts, startedAt: this.#startedAt }
  }

  #rate(): number | null {
    const [first] = this.isEnded ? [{ at: this.#startedAt, done: 0 }] : this.#marks
    if (first === undefined) return null
    const seconds = ((this.#endedAt ?? this.#clock()) - first.at) / 1000
    const done = this.#done - first.done
    return seconds > 0 && done > 0 ? done / seconds : null
  }
}
