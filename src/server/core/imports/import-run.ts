import { setTimeout as delay } from 'node:timers/promises'
import type { ImportRefusal } from '#contract/import.ts'
import { batchesOf } from '#server/core/batches-of.ts'
import { Gate, mapInOrder } from '#server/core/map-in-order.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { ActiveImportRecords, ImportPlan } from './active-imports.ts'
import { BoardsOfImport } from './import-boards.ts'
import { uploadIdOf, uploadIdOfRecord } from './import-details.ts'
import { ImportIntake, type IntakeParts } from './import-intake.ts'
import type { ImportNews } from './import-news.ts'
import type { ImportSource, SourceEntry, SourceFault } from './import-ports.ts'
import { ImportProgress } from './import-progress.ts'
import { ImportRecorder } from './import-recorder.ts'
import { ImportWork, refusalOfFault } from './import-work.ts'

export interface RunParts extends IntakeParts {
  activeImports: ActiveImportRecords
  news: ImportNews
  /** Called with an unexpected error that ended an import. */
  onFailure: (error: unknown) => void
  /** Called for each refused file, beyond the limit of the import's own list. */
  onRefusal?: ((refusal: ImportRefusal) => void) | undefined
}

const LOOKUP_BATCH_SIZE = 100

/** Maximum number of files in progress or waiting for an earlier one, and of files per commit. */
const CONCURRENCY = { ahead: 32, together: 32 }

/**
 * Minimum time between commits, in milliseconds. Files that are ready meanwhile share the next commit, which costs as
 * much for ten files as for one.
 */
const COMMIT_INTERVAL_MS = 150

/** Tolerance, because the clocks of disks may be behind the server's. */
const CLOCK_SLACK_MS = 2000

/**
 * Runs one import. Files are processed concurrently and committed in the order of the source, so that an interrupted
 * import has committed the first files, and resuming it gives the same library.
 */
export class ImportRun {
  /** Resolves when the import is recorded, before the first file. Rejects, and ends the import, if that fails. */
  readonly begun: Promise<void>
  /** Resolves when the import has ended, in any state. */
  readonly ended: Promise<void>
  readonly progress: ImportProgress
  readonly #parts: RunParts
  readonly #source: ImportSource
  readonly #plan: ImportPlan
  readonly #boards: BoardsOfImport
  readonly #work: ImportWork
  readonly #recorder: ImportRecorder
  readonly #gate = new Gate()
  readonly #stop = new AbortController()
  /** State while the import is not paused. */
  #doing: 'running' | 'watching' = 'running'
  #isInterrupted = false

  constructor(parts: RunParts, source: ImportSource, plan: ImportPlan) {
    this.#parts = parts
    this.#source = source
    this.#plan = plan
    this.progress = new ImportProgress(plan, parts, source.leftFiles)
    this.#boards = new BoardsOfImport(parts.imports, plan)
    this.#work = new ImportWork({
      intake: new ImportIntake(parts, { kind: source.kind, link: plan.link }),
      boards: this.#boards,
      progress: this.progress,
      isDryRun: plan.dry_run,
      signal: this.#stop.signal,
      waitForRoom: (fault) => this.#waitForRoom(fault),
      onRefusal: parts.onRefusal,
    })
    this.#recorder = new ImportRecorder(parts.activeImports, this.progress)
    this.begun = plan.dry_run ? Promise.resolve() : this.#recorder.begin()
    this.ended = this.#run()
  }

  /** Takes no further files. Files in progress are still committed. */
  pause(): void {
    if (this.progress.isEnded || this.#gate.isShut) return
    this.#gate.shut()
    this.progress.state = 'paused'
  }

  resume(): void {
    if (this.progress.isEnded || !this.#gate.isShut) return
    this.progress.resumeAs(this.#doing)
    this.#gate.open()
  }

  /** Stops the import in order. Imported files remain. */
  async cancel(): Promise<void> {
    this.#stop.abort()
    this.#gate.open()
    await this.ended
  }

  /** Stops the import because the program ends. The next start lists it as interrupted. */
  async interrupt(): Promise<void> {
    this.#isInterrupted ||= !this.progress.isEnded && !this.#stop.signal.aborted
    await this.cancel()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    const counting = new AbortController()
    const counted = this.#count(AbortSignal.any([signal, counting.signal]))
    const startedAt = Date.now()
    try {
      await this.begun
      if (!this.#plan.dry_run) await this.#boards.prepare(this.#source)
      await this.#takeIn(this.#source.entries(signal), LOOKUP_BATCH_SIZE)
      await this.#finishBoards()
      if (this.#plan.watch) await this.#watch(startedAt - CLOCK_SLACK_MS)
      this.progress.end(signal.aborted ? 'canceled' : 'completed')
    } catch (error) {
      if (!(error instanceof Refusal)) this.#parts.onFailure(error)
      this.progress.fail(error instanceof Error ? error.message : String(error))
    } finally {
      counting.abort()
      await counted
      await this.#source.close().catch(this.#parts.onFailure)
      if (!this.#plan.dry_run) await this.#forget().catch(this.#parts.onFailure)
    }
  }

  async #forget(): Promise<void> {
    await (this.#isInterrupted ? this.#recorder.stop() : this.#recorder.end())
  }

  /** Counts all files ahead of the import, to estimate the remaining time. */
  async #count(signal: AbortSignal): Promise<void> {
    try {
      for await (const _ of this.#source.entries(signal)) this.progress.countFound()
      if (!signal.aborted) this.progress.endCounting()
    } catch {
      // The import itself reports the same error.
    }
  }

  async #takeIn(
    entries: AsyncIterable<SourceEntry | SourceFault>,
    lookedUp: number,
  ): Promise<void> {
    const unknown = this.#unknown(entries, lookedUp)
    for await (const worked of mapInOrder(
      unknown,
      (entry) => this.#work.process(entry),
      CONCURRENCY,
    )) {
      const beat = delay(COMMIT_INTERVAL_MS)
      await this.#work.commitInOrder(worked)
      await beat
    }
  }

  async #finishBoards(): Promise<void> {
    if (this.#stop.signal.aborted) return
    this.progress.endCounting()
    if (this.#plan.dry_run) return
    const { kind } = this.#source
    await this.#boards.finish(this.#source, (identity) => uploadIdOfRecord(kind, identity))
  }

  async #watch(since: number): Promise<void> {
    const { signal } = this.#stop
    const newFiles = this.#source.newFiles?.(since, signal)
    if (newFiles === undefined || signal.aborted) return
    this.#doing = 'watching'
    if (!this.#gate.isShut) this.progress.state = 'watching'
    await this.#takeIn(newFiles, 1)
  }

  /** Yields files that must be read, and counts or refuses the others. */
  async *#unknown(
    entries: AsyncIterable<SourceEntry | SourceFault>,
    lookedUp: number,
  ): AsyncGenerator<SourceEntry> {
    for await (const batch of batchesOf(entries, lookedUp)) {
      const known = await this.#knownAmong(batch.filter((entry) => 'bytes' in entry))
      for (const entry of batch) {
        await this.#gate.pass()
        if (this.#stop.signal.aborted) return
        if (!('bytes' in entry)) this.#work.refuse(refusalOfFault(entry))
        else if (known.has(entry)) this.progress.countKnown()
        else yield entry
      }
    }
  }

  async #knownAmong(entries: readonly SourceEntry[]): Promise<ReadonlySet<SourceEntry>> {
    const marks = entries.map((entry) => ({
      path: entry.path,
      bytes: entry.bytes,
      modifiedAt: entry.modifiedAt,
      uploadId: uploadIdOf(this.#source.kind, entry),
      imageName: entry.record?.identity ?? null,
    }))
    const known = marks.length === 0 ? [] : await this.#parts.imports.areKnown(marks)
    return new Set(entries.filter((_, at) => known[at]))
  }

  async #waitForRoom(fault: Refusal): Promise<boolean> {
    if (!this.#stop.signal.aborted) {
      this.pause()
      this.progress.error = fault.message
      await this.#gate.pass()
    }
    return !this.#stop.signal.aborted
  }
}
