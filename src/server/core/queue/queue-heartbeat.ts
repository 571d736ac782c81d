import type { EventBus } from '#server/core/events/event-bus.ts'
import type { EventSink } from '#server/core/events/event-hub.ts'
import { emitEnded } from './queue-events.ts'
import type { QueueJob } from './queue-job.ts'
import type { QueueRecords } from './queue-ports.ts'

/** Times of a processor that shares its queue with other processes, in milliseconds. */
export interface QueueTimes {
  /** How long an item may run after the last renewal. Longer than a restart of the database. */
  leaseMs: number
  /** Interval of renewals. Also the longest delay of a lost message of the bus. */
  beatMs: number
}

export const queueTimes: QueueTimes = { leaseMs: 60_000, beatMs: 5_000 }

interface HeartbeatParts {
  queue: Pick<QueueRecords, 'renew' | 'recover'>
  events: EventSink
  bus: EventBus
  times: QueueTimes
  /** Returns the job that runs in this process. */
  running(): QueueJob | null
  /** Called after each beat, because an item may be pending whose message was lost. */
  wake(): void
  onFailure: (error: unknown) => void
}

/**
 * Renews the claim of the running item, stops it if it was canceled, deleted or ended by another process, and ends
 * the items of processes that died.
 */
export class QueueHeartbeat {
  readonly #parts: HeartbeatParts
  #beating: Promise<void> | null = null
  readonly #stopListening: () => void
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(parts: HeartbeatParts) {
    this.#parts = parts
    // Messages may have been lost while the bus was away.
    this.#stopListening = parts.bus.onConnection((isConnected) => {
      if (isConnected && this.#timer !== undefined) void this.beat()
    })
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.beat(), this.#parts.times.beatMs).unref()
  }

  /** Beats once at a time. Never fails: the next beat tries again, and leases are longer than several intervals. */
  beat(): Promise<void> {
    this.#beating ??= this.#beat()
      .catch(this.#parts.onFailure)
      .finally(() => {
        this.#beating = null
      })
    return this.#beating
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#stopListening()
    await this.#beating
  }

  async #beat(): Promise<void> {
    const { queue, running, times, wake } = this.#parts
    const job = running()
    if (job !== null) {
      const renewed = await queue.renew([job.itemId], times.leaseMs)
      if (!renewed.includes(job.itemId) && !job.hasRun) job.drop()
    }
    await this.#recover()
    wake()
  }

  async #recover(): Promise<void> {
    const { queue, events, bus } = this.#parts
    const changes = await queue.recover()
    if (changes.length === 0) return
    // A process that was only paused may still send events of these items.
    bus.publish({ kind: 'items_stopped', itemIds: changes.map(({ item }) => item.item_id) })
    for (const change of changes) emitEnded(events, change)
  }
}
