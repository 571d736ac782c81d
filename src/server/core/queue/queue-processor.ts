import { setTimeout as delay } from 'node:timers/promises'
import { backoffMs } from '#contract/backoff.ts'
import type { ProcessorStatus } from '#contract/queue/queue.ts'
import type { EventSink } from '#server/core/events/event-hub.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { GraphEngine } from './engine-ports.ts'
import { emitSessionComplete, emitStatusChanged } from './queue-events.ts'
import { DEVICE, QueueJob } from './queue-job.ts'
import type { QueueRecords } from './queue-ports.ts'

/** Delay before a refused database call is retried. */
const retryBackoff = { firstMs: 250, longestMs: 30_000 }

export interface ProcessorParts {
  queue: Pick<QueueRecords, 'startNext' | 'end'>
  engine: GraphEngine
  events: EventSink
  /** Called with errors of the database before a retry. */
  onFailure: (error: unknown) => void
}

/**
 * Runs the items of all queues one after the other. No error of an item, the engine or the disk stops it: an item
 * fails, and a refused database call is retried later.
 */
export class QueueProcessor {
  readonly #parts: ProcessorParts
  readonly #closing = new AbortController()
  #work: Promise<void> | null = null
  #woken = Promise.withResolvers<void>()
  #taking: Promise<unknown> = Promise.resolve()
  #running: QueueJob | null = null
  #isPaused = false

  constructor(parts: ProcessorParts) {
    this.#parts = parts
  }

  start(): void {
    this.#work ??= this.#loop()
  }

  /** Signals that an item may be pending. */
  wake(): void {
    this.#woken.resolve()
  }

  status(): ProcessorStatus {
    return { is_started: !this.#isPaused, is_processing: this.#running !== null }
  }

  /** Starts no further items. A running item continues. */
  async pause(): Promise<ProcessorStatus> {
    this.#isPaused = true
    await this.#taking
    return this.status()
  }

  resume(): ProcessorStatus {
    this.#isPaused = false
    this.wake()
    return this.status()
  }

  /** Stops a canceled item if it is running, without further events. */
  drop(itemId: number): void {
    if (this.#running?.itemId === itemId) this.#running.drop()
  }

  /** Cancels the running item and waits for its end. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#running?.stop()
    this.wake()
    await this.#work
  }

  async #loop(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#woken = Promise.withResolvers()
      const started = await this.#untilDone(() => this.#startNext())
      if (started) await this.#carryOut(started)
      else await this.#woken.promise
    }
  }

  async #startNext(): Promise<QueueJob | null> {
    if (this.#isPaused || this.#closing.signal.aborted) return null
    const taking = this.#parts.queue.startNext(DEVICE).then((started) => {
      if (started === null) return null
      this.#running = new QueueJob(started, this.#parts)
      emitStatusChanged(this.#parts.events, started)
      return this.#running
    })
    this.#taking = taking.catch(() => {})
    return taking
  }

  async #carryOut(job: QueueJob): Promise<void> {
    const { queue, events } = this.#parts
    const { end, error } = await job.run()
    const change = await this.#untilDone(
      () => queue.end(job.itemId, end),
      (refused) => job.reportWaiting(waitingFor(refused)),
    )
    this.#running = null
    if (!change) return
    emitStatusChanged(events, change)
    if (error !== null) events.emit('invocation_error', error)
    emitSessionComplete(events, change)
  }

  /** Retries refused database calls with increasing delays. Returns undefined if the server closes meanwhile. */
  async #untilDone<T>(
    work: () => Promise<T>,
    onRefused: (error: unknown) => void = () => {},
  ): Promise<T | undefined> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await work()
      } catch (error) {
        this.#parts.onFailure(error)
        onRefused(error)
        if (this.#closing.signal.aborted) return undefined
        const { signal } = this.#closing
        await delay(backoffMs(retryBackoff, failures), undefined, { signal }).catch(() => {})
      }
    }
  }
}

/** Returns the progress message of an item whose result cannot be stored yet. */
const waitingFor = (refused: unknown): string => {
  const code = refused instanceof Refusal ? refused.code : null
  if (code === 'disk_full') return 'The disk is full: waiting for space'
  if (code === 'disk_error' || code === 'library_read_only') return 'Waiting: the disk failed'
  return 'Waiting for the database'
}
