import { MAX_CHANGED_RECORDS } from '#contract/limits.ts'
import type { LibraryChanges } from '#contract/server/change-operations.ts'
import type { EventHub, News } from '#server/core/events/event-hub.ts'
import type { Records } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { LoggedChange } from './change-ports.ts'

/** Changes within this time after an event share the next one, in milliseconds. */
const GATHER_MS = 100

/** The time between two looks for changes without an event, in milliseconds. The second look reports them. */
const LOOK_MS = 900

type Changed = News<'library_changed'>

interface FeedParts {
  changes: Records['changes']
  images: Pick<Records['images'], 'listByNames'>
  upkeep: Pick<Records['upkeep'], 'now'>
  events: Pick<EventHub, 'emit' | 'listen'>
}

export interface ChangeQuery {
  /** Absent: only the current state is asked for. */
  since?: string | undefined
  limit: number
  exceptOrigin: string | null
  includesRecords: boolean
}

/** Tells clients what changed: lists the log, and sends `library_changed`. */
export class ChangeFeed {
  readonly #parts: FeedParts
  readonly #stops: (() => void)[]
  #timer: NodeJS.Timeout | null = null
  /** The changes that the next event reports. */
  #waiting: Changed | null = null
  /** The state of the last event of any process. null: there was none. */
  #reported: string | null = null
  /** The value of `#reported` when the last look found a later state. */
  #overtaken: string | null = null

  constructor(parts: FeedParts) {
    this.#parts = parts
    this.#stops = [parts.changes.listen((change) => this.#note(change))]
  }

  /**
   * Looks for changes that no event reports, if other processes use the database: a process that has lost Redis, was
   * killed after its commit, or runs a command such as `import`. Call it before clients connect, because it reports
   * only changes after its first look.
   */
  async watchDatabase(): Promise<void> {
    const stopListening = this.#parts.events.listen(({ event, data }) => {
      if (event === 'library_changed') this.#reported = data.state
    })
    let isLooking = false
    const look = async () => {
      if (isLooking) return
      isLooking = true
      // Readiness reports a database that does not answer.
      await this.#look().catch(() => {})
      isLooking = false
    }
    const timer = setInterval(() => void look(), LOOK_MS).unref()
    this.#stops.push(stopListening, () => clearInterval(timer))
    await look()
  }

  /** @throws {Refusal} `state_unknown` if the changes since the state are not known any more. */
  async list({
    since,
    limit,
    exceptOrigin,
    includesRecords,
  }: ChangeQuery): Promise<LibraryChanges> {
    const { changes, upkeep } = this.#parts
    const { state, changedAt } = await changes.current()
    const idle_ms = changedAt === null ? null : Math.max(0, (await upkeep.now()) - changedAt)
    const found = await changes.since(since ?? state, limit, exceptOrigin)
    if (found === null) throw new Refusal('state_unknown')
    const { created, updated } = found.images
    const areRecordsListed =
      includesRecords && created.length + updated.length <= MAX_CHANGED_RECORDS
    return {
      ...found,
      // Read after the list, so that no record is from before a listed change.
      ...(areRecordsListed && {
        records: await this.#parts.images.listByNames([...created, ...updated]),
      }),
      idle_ms,
    }
  }

  close(): void {
    for (const stop of this.#stops) stop()
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Sends the first change at once, and those of the next moment together. */
  #note(change: LoggedChange): void {
    if (this.#timer === null) {
      this.#emit(change)
      this.#timer = setTimeout(() => this.#emitWaiting(), GATHER_MS).unref()
      return
    }
    this.#waiting = this.#waiting === null ? change : joined(this.#waiting, change)
  }

  #emitWaiting(): void {
    this.#timer = null
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting !== null) this.#note(waiting)
  }

  async #look(): Promise<void> {
    const reported = this.#reported
    const { state } = await this.#parts.changes.current()
    if (reported === null) this.#reported ??= state
    else if (state === reported) this.#overtaken = null
    // At the first look, the event may still be on its way.
    else if (reported !== this.#overtaken) this.#overtaken = reported
    else this.#emit({ since: reported, state, origin: null, images: 0, boards: 0 })
  }

  #emit(change: Changed): void {
    this.#parts.events.emit('library_changed', change)
  }
}

/** If another process changed the library in between, the origin is unknown, so that every client asks. */
const joined = (first: Changed, next: LoggedChange): Changed => ({
  since: first.since,
  state: next.state,
  origin: first.state === next.since && first.origin === next.origin ? first.origin : null,
  images: first.images + next.images,
  boards: first.boards + next.boards,
})
