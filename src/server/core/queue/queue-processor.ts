import { setTimeout as delay } from 'node:timers/promises'
import { backoffMs } from '#contract/backoff.ts'
import type { ProcessorStatus } from '#contract/queue/queue.ts'
import type { EventBus } from '#server/core/events/event-bus.ts'
import type { EventSink } from '#server/core/events/event-hub.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { GraphEngine } from './engine-ports.ts'
import { emitSessionComplete, emitStatusChanged } from './queue-events.ts'
import { QueueHeartbeat, type QueueTimes, queueTimes } from './queue-heartbeat.ts'
import { DEVICE, QueueJob } from './queue-job.ts'
import type { ProcessorRecords, QueueRecords } from './queue-ports.ts'

/** Delay before a refused database call is retried. */
const retryBackoff = { firstMs: 250, longestMs: 30_000 }

export interface ProcessorParts {
  queue: Pick<QueueRecords, 'startNext' | 'renew' | 'end' | 'recover'>
  /** Absent: this is the only process that runs items. */
  processors?: ProcessorRecords | undefined
  engine: GraphEngine
  events: EventSink
  bus: EventBus
  /** Default: `queueTimes`. */
  times?: QueueTimes
  /** Called with errors of the database before a retry. */
  onFailure: (error: unknown) => void
}

/**
 * Runs items of all queues, one after the other. Other processes may run further items at the same time. No error of an
 * item, the engine or the disk stops it: an item fails, and a refused database call is retried later.
 */
export class QueueProcessor {
  readonly #parts: ProcessorParts
  readonly #times: QueueTimes
  readonly #heartbeat: QueueHeartbeat | null
  readonly #stopListening: () => void
  readonly #closing = new AbortController()
  #work: Promise<void> | null = null
  #woken = Promise.withResolvers<void>()
  #taking: Promise<unknown> = Promise.resolve()
  #running: QueueJob | null = null
  #isPaused = false

  constructor(parts: ProcessorParts) {
    const { times = queueTimes, processors, bus } = parts
    this.#parts = parts
    this.#times = times
    this.#heartbeat = processors
      ? new QueueHeartbeat({
          ...parts,
          times,
          running: () => this.#running,
          wake: () => this.#woken.resolve(),
        })
      : null
    this.#stopListening = bus.listen((message) => {
      if (message.kind === 'queue_changed') this.#woken.resolve()
      if (message.kind === 'items_stopped') this.#drop(message.itemIds)
    })
  }

  /** Ends items whose process died. Must be called before `start`. */
  async recover(): Promise<void> {
    if (this.#heartbeat) await this.#heartbeat.beat()
    else await this.#parts.queue.recover()
  }

  start(): void {
    this.#work ??= this.#loop()
    this.#heartbeat?.start()
  }

  /** Signals to the processors of all processes that an item may be pending. */
  wake(): void {
    this.#woken.resolve() // The bus may be away.
    this.#parts.bus.publish({ kind: 'queue_changed' })
  }

  /** True while this process runs an item. */
  get isRunning(): boolean {
    return this.#running !== null
  }

  /** The status of the processors of all processes. */
  async status(): Promise<ProcessorStatus> {
    const { processors } = this.#parts
    if (!processors) return { is_started: !this.#isPaused, is_processing: this.#running !== null }
    const { isPaused, isRunning } = await processors.status()
    return { is_started: !isPaused, is_processing: isRunning }
  }

  /** No process starts further items. Running items continue. */
  async pause(): Promise<ProcessorStatus> {
    await this.#setPaused(true)
    await this.#taking
    return this.status()
  }

  async resume(): Promise<ProcessorStatus> {
    await this.#setPaused(false)
    this.wake()
    return this.status()
  }

  /** Stops canceled items in the processes that run them, without further events. */
  drop(itemIds: readonly number[]): void {
    this.#drop(itemIds) // The bus may be away.
    this.#parts.bus.publish({ kind: 'items_stopped', itemIds })
  }

  /** Cancels the running item and waits for its end. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#stopListening()
    this.#running?.stop()
    this.#woken.resolve()
    await this.#work
    await this.#heartbeat?.close()
  }

  async #setPaused(isPaused: boolean): Promise<void> {
    const { processors } = this.#parts
    if (processors) await processors.setPaused(isPaused)
    else this.#isPaused = isPaused
  }

  #drop(itemIds: readonly number[]): void {
    if (this.#running && itemIds.includes(this.#running.itemId)) this.#running.drop()
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
    const taking = this.#parts.queue.startNext(DEVICE, this.#times.leaseMs).then((started) => {
      if (started === null) return null
      this.#running = new QueueJob(started, this.#parts)
      if (this.#closing.signal.aborted) this.#running.stop()
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
    if (!change || job.isDropped) return
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
  if (code === 'library_away') return 'Waiting: the data folder is not there'
  return 'Waiting for the database'
}
