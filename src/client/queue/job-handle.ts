import { GalleryError } from '#client/errors.ts'
import type { EventStream } from '#client/events/event-stream.ts'
import { anySignal, sleep } from '#client/transport/sleep.ts'
import type { EventData } from '#contract/events.ts'
import { isFinal, type QueueItem } from '#contract/queue/queue.ts'
import type { QueueCallOptions, QueueReading } from './queue-reading.ts'

/** Options of a wait. */
export interface WaitOptions {
  /** Stops the wait, but no job. The promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds to wait at most. Afterwards the promise rejects with a `TimeoutError`. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds between two requests. The default is 1000. */
  readonly pollMs?: number | undefined
}

export interface JobQueue extends Pick<QueueReading, 'item'> {
  cancel(itemId: number, options: QueueCallOptions): Promise<QueueItem | null>
}

/**
 * One item of the queue.
 *
 * @example
 * const job = queue.job(await queue.enqueueOne({ graph }))
 * const { status } = await job.wait({ timeoutMs: 60_000, onProgress: ({ message }) => console.log(message) })
 */
export class JobHandle {
  /** Id of the queue item. */
  readonly itemId: number
  readonly #queue: JobQueue
  readonly #events: EventStream
  readonly #options: QueueCallOptions

  /** @internal */
  constructor(queue: JobQueue, events: EventStream, itemId: number, options: QueueCallOptions) {
    this.#queue = queue
    this.#events = events
    this.itemId = itemId
    this.#options = options
  }

  /**
   * Reads the item.
   *
   * @throws {GalleryError} The queue has no such item. It may have been deleted.
   */
  async refresh(options: QueueCallOptions = {}): Promise<QueueItem> {
    const item = await this.#queue.item(this.itemId, { ...this.#options, ...options })
    if (item === null) throw new GalleryError(`The queue has no item ${this.itemId}`)
    return item
  }

  /** Cancels the item. Returns its record, or null if the queue has no such item. */
  cancel(options: QueueCallOptions = {}): Promise<QueueItem | null> {
    return this.#queue.cancel(this.itemId, { ...this.#options, ...options })
  }

  /**
   * Waits until the item is completed, failed or canceled.
   *
   * @param options.onProgress - Called with the progress of its nodes. Opens the event stream.
   * @returns The item with its final status.
   * @throws {GalleryError} The queue has no such item.
   */
  async wait(
    options: WaitOptions & {
      readonly onProgress?: ((progress: EventData<'invocation_progress'>) => void) | undefined
    } = {},
  ): Promise<QueueItem> {
    const { onProgress, pollMs = 1000 } = options
    const signal = anySignal([options.signal], options.timeoutMs)
    const stop =
      onProgress &&
      this.#events.listen(({ event, data }) => {
        if (event === 'invocation_progress' && data.item_id === this.itemId) onProgress(data)
      })
    try {
      for (;;) {
        const item = await this.refresh({ signal })
        if (isFinal(item.status)) return item
        await sleep(pollMs, signal)
      }
    } finally {
      stop?.()
    }
  }
}
