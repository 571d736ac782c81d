import type { Import, ImportRefusal } from '#contract/import.ts'
import { refusals } from '#contract/refusal.ts'
import { batchesOf } from './batches-of.ts'
import { Gate } from './gate.ts'
import { BoardsOfImport } from './import-boards.ts'
import { ImportIntake, type IntakeParts, type Prepared, uploadIdOf } from './import-intake.ts'
import type { ImportSource, SourceEntry, SourceFault } from './import-ports.ts'
import { type ImportPlan, ImportProgress } from './import-progress.ts'
import { inOrder } from './in-order.ts'
import { Refusal } from './refusal.ts'

export interface RunParts extends IntakeParts {
  /** Told of what ended an import and is no refusal. */
  onFailure: (error: unknown) => void
  /** Told of each file that is refused, beyond those that the import names too. */
  onRefusal?: ((refusal: ImportRefusal) => void) | undefined
}

/** Files that are looked up together. */
const LOOKED_UP = 100

/** Files under way or waiting for one before them, and those that share a commit. */
const FLOW = { ahead: 16, together: 16 }

/** What became of a file before it is committed. */
type Worked = Prepared | { entry: SourceEntry; refusal: ImportRefusal } | null

/**
 * One import, from its first file to its last. Files are worked on several at once and land in the order of
 * the source, so that one that was cut off has taken in the beginning, and going on gives the same library.
 */
export class ImportRun {
  readonly ended: Promise<void>
  readonly #parts: RunParts
  readonly #source: ImportSource
  readonly #plan: ImportPlan
  readonly #progress: ImportProgress
  readonly #intake: ImportIntake
  readonly #boards: BoardsOfImport
  readonly #gate = new Gate()
  readonly #stop = new AbortController()

  constructor(parts: RunParts, source: ImportSource, plan: ImportPlan) {
    this.#parts = parts
    this.#source = source
    this.#plan = plan
    this.#progress = new ImportProgress(plan, parts.clock)
    this.#intake = new ImportIntake(parts, { kind: source.kind, link: plan.link })
    this.#boards = new BoardsOfImport(parts.imports, plan)
    this.ended = this.#run()
  }

  get isEnded(): boolean {
    return this.#progress.isEnded
  }

  toImport(): Import {
    return this.#progress.toImport()
  }

  /** Takes no further file; those under way land. */
  pause(): void {
    if (this.isEnded || this.#gate.isShut) return
    this.#gate.shut()
    this.#progress.state = 'paused'
  }

  resume(): void {
    if (this.isEnded || !this.#gate.isShut) return
    this.#progress.state = 'running'
    this.#progress.error = null
    this.#progress.restartRate()
    this.#gate.open()
  }

  /** Ends it in order. What was taken in stays. */
  async cancel(): Promise<void> {
    this.#stop.abort()
    this.#gate.open()
    await this.ended
  }

  async #run(): Promise<void> {
    const counting = new AbortController()
    const counted = this.#count(AbortSignal.any([this.#stop.signal, counting.signal]))
    try {
      await this.#takeAll()
      this.#progress.isCounted = !this.#stop.signal.aborted
      this.#progress.end(this.#stop.signal.aborted ? 'canceled' : 'completed')
    } catch (error) {
      if (!(error instanceof Refusal)) this.#parts.onFailure(error)
      this.#progress.error = error instanceof Refusal ? error.message : String(error)
      this.#progress.end('failed')
    } finally {
      counting.abort()
      await counted
      await this.#source.close().catch(this.#parts.onFailure)
    }
  }

  /** Finds all files ahead of the work, for the time that is left. */
  async #count(signal: AbortSignal): Promise<void> {
    try {
      for await (const _ of this.#source.entries(signal)) this.#progress.found++
      this.#progress.isCounted = !signal.aborted
    } catch {
      // The same fault meets the one who takes them in.
    }
  }

  async #takeAll(): Promise<void> {
    const { signal } = this.#stop
    if (!this.#plan.dry_run) await this.#boards.prepare(this.#source)
    const unknown = this.#unknown(this.#source.entries(signal))
    for await (const worked of inOrder(unknown, (entry) => this.#work(entry), FLOW)) {
      await this.#land(worked)
    }
    if (this.#plan.dry_run || signal.aborted) return
    await this.#boards.finish(this.#source, (identity) => `import:${this.#source.kind}:${identity}`)
  }

  /** Passes on what must be read, and counts the rest. */
  async *#unknown(entries: AsyncIterable<SourceEntry | SourceFault>): AsyncGenerator<SourceEntry> {
    for await (const batch of batchesOf(entries, LOOKED_UP)) {
      const files = batch.filter((entry) => 'bytes' in entry)
      const known = await this.#parts.imports.areKnown(files.map((entry) => this.#markOf(entry)))
      const isKnown = new Map(files.map((entry, at) => [entry, known[at]]))
      for (const entry of batch) {
        await this.#gate.pass()
        if (this.#stop.signal.aborted) return
        if (!('bytes' in entry)) this.#refuse(faultOf(entry))
        else if (isKnown.get(entry) !== true) yield entry
        else {
          this.#progress.known++
          this.#progress.step()
        }
      }
    }
  }

  #markOf(entry: SourceEntry) {
    const { path, bytes, modifiedAt, record } = entry
    const uploadId = uploadIdOf(this.#source.kind, entry)
    return { path, bytes, modifiedAt, uploadId, imageName: record?.identity ?? null }
  }

  /** Never throws. null: it was stopped while the disk was full. */
  async #work(entry: SourceEntry): Promise<Worked> {
    for (;;) {
      try {
        return await this.#intake.prepare(entry)
      } catch (error) {
        if (!isPassing(error)) return { entry, refusal: refusalOf(entry, error) }
        await this.#waitForRoom(error)
        if (this.#stop.signal.aborted) return null
      }
    }
  }

  async #land(worked: readonly Worked[]): Promise<void> {
    const prepared: Prepared[] = []
    for (const each of worked) {
      if (each === null) continue
      if ('refusal' in each) this.#refuse(each.refusal)
      else prepared.push(each)
    }
    if (prepared.length > 0) await this.#commit(prepared)
  }

  async #commit(prepared: readonly Prepared[]): Promise<void> {
    try {
      const boardIds = []
      for (const { entry } of prepared) boardIds.push(await this.#boards.idFor(entry))
      const outcomes = await this.#intake.commit(prepared, boardIds)
      const again: SourceEntry[] = []
      for (const [at, { entry, taken }] of prepared.entries()) {
        if (outcomes[at] === 'board_not_found') again.push(entry)
        else if (outcomes[at] === 'added') {
          this.#progress.takenIn++
          if (taken.isLinked) this.#progress.linked++
        } else this.#progress.known++
      }
      this.#progress.step()
      if (again.length > 0) await this.#again(again)
    } catch (error) {
      if (!isPassing(error)) throw error
      await this.#waitForRoom(error)
      if (!this.#stop.signal.aborted) await this.#again(prepared.map(({ entry }) => entry))
    }
  }

  /** Once more from the beginning, with boards looked up anew. */
  async #again(entries: readonly SourceEntry[]): Promise<void> {
    this.#boards.forget()
    const worked = []
    for (const entry of entries) worked.push(await this.#work(entry))
    await this.#land(worked)
  }

  /** Pauses until the person has made room and resumes it. */
  async #waitForRoom(error: Refusal): Promise<void> {
    if (this.#stop.signal.aborted) return
    this.pause()
    this.#progress.error = error.message
    await this.#gate.pass()
  }

  #refuse(refusal: ImportRefusal): void {
    this.#progress.refuse(refusal)
    this.#parts.onRefusal?.(refusal)
  }
}

/** Whether a refusal is of the moment, and not of the file. */
const isPassing = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'disk_full'

const faultOf = ({ path, reason }: SourceFault): ImportRefusal => ({
  path: path.toWellFormed(),
  code: 'unreadable_file',
  reason,
})

const refusalOf = ({ path }: SourceEntry, error: unknown): ImportRefusal => {
  const readable = path.toWellFormed()
  if (error instanceof Refusal) {
    return { path: readable, code: error.code, reason: error.message }
  }
  const { detail } = refusals.unreadable_file
  return { path: readable, code: 'unreadable_file', reason: `${detail} (${String(error)})` }
}
