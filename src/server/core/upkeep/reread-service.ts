import type { Rereading } from '#contract/server/app-operations.ts'
import type { Clock } from '#server/core/clock.ts'
import type { LibraryState } from './library-state.ts'
import { onlyProcess, type ProcessLocks } from './process-locks.ts'
import { type RereadParts, rereadBatch } from './reread-batch.ts'

/** Delay of the first look, so that the start and the first requests are over. */
const FIRST_MS = 10_000

/** The library must be unused for this time before the next images are read. */
const QUIET_MS = 2_000

/** A library that is never unused gets at least one batch in this time. */
const LONGEST_WAIT_MS = 60_000

/** Delay after a failure, and while another process reads. */
const RETRY_MS = 60_000

/** Rest between batches, in which requests find the disk and the database free. */
const REST_MS = 50

/** One batch takes a fraction of a second and one transaction. */
const BATCH = { limit: 32, concurrency: 2 }

/** How long a count of images is shown. Between counts, this process subtracts the images that it read. */
const COUNTED_MS = 10_000

interface RereadServiceParts extends RereadParts {
  /** Default: this is the only process. */
  locks?: ProcessLocks
  state: Pick<LibraryState, 'status'>
  clock: Clock
  /** True while a request, an import or the queue is at work. */
  isBusy(): boolean
  onFailure: (error: unknown) => void
}

/**
 * Reads the metadata of images again that an earlier reader read, in the background, in small batches, while nobody uses
 * the library. Each batch is complete when it is stored, so that a stop or a crash loses nothing.
 */
export class RereadService {
  readonly #parts: RereadServiceParts
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> = Promise.resolve()
  #isClosed = false
  #isDone = false
  #usedAt = Number.NEGATIVE_INFINITY
  #waitsSince: number | null = null
  #counted = { left: 0, total: 0, at: Number.NEGATIVE_INFINITY }

  constructor(parts: RereadServiceParts) {
    this.#parts = parts
  }

  start(): void {
    this.#nextIn(FIRST_MS)
  }

  /** Waits until the current batch is stored. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.settled()
  }

  /** Waits until the current batch is stored. */
  settled(): Promise<void> {
    return this.#running
  }

  /** Call for each request of a person, so that reading waits. */
  noteUse(): void {
    this.#usedAt = this.#parts.clock()
  }

  /** Returns null if all images are up to date. */
  async progress(): Promise<Rereading | null> {
    if (this.#isDone) return null
    await this.#count()
    const { left, total } = this.#counted
    return left === 0 ? null : { done: total - left, total }
  }

  #nextIn(waitMs: number): void {
    if (this.#isClosed || this.#isDone) return
    this.#timer = setTimeout(() => {
      this.#running = this.#next().then(
        (nextMs) => this.#nextIn(nextMs),
        (error: unknown) => {
          if (!this.#isClosed) this.#parts.onFailure(error)
          this.#nextIn(RETRY_MS)
        },
      )
    }, waitMs)
    this.#timer.unref()
  }

  /** Returns the delay of the next call, in milliseconds. */
  async #next(): Promise<number> {
    const { clock, state, locks = onlyProcess } = this.#parts
    if (state.status !== 'ok') return RETRY_MS
    const now = clock()
    this.#waitsSince ??= now
    const isPaused = this.#parts.isBusy() || now - this.#usedAt < QUIET_MS
    if (isPaused && now - this.#waitsSince < LONGEST_WAIT_MS) return QUIET_MS
    this.#waitsSince = null
    const count = await locks.tryRun('reread', () => rereadBatch(this.#parts, BATCH))
    if (count === null) return RETRY_MS
    this.#isDone = count === 0
    this.#counted.left = Math.max(0, this.#counted.left - count)
    return REST_MS
  }

  async #count(): Promise<void> {
    const { clock, rereads, readerVersion } = this.#parts
    if (clock() - this.#counted.at < COUNTED_MS) return
    const left = await rereads.count(readerVersion)
    this.#counted = { left, total: Math.max(left, this.#counted.total), at: clock() }
  }
}
