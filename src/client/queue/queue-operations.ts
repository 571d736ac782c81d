import { GalleryError, isRefused } from '#client/errors.ts'
import type { EventStream } from '#client/events/event-stream.ts'
import type { Http } from '#client/transport/http.ts'
import { anySignal, sleep } from '#client/transport/sleep.ts'
import type {
  Batch,
  EnqueueBatchResult,
  ProcessorStatus,
  QueueItem,
} from '#contract/queue/queue.ts'
import {
  cancelAllExceptCurrent,
  cancelByBatchIds,
  cancelByDestination,
  cancelQueueItem,
  clearQueue,
  deleteAllExceptCurrent,
  deleteByDestination,
  deleteQueueItem,
  enqueueBatch,
  pauseProcessor,
  pruneQueue,
  resumeProcessor,
  retryQueueItems,
} from '#contract/queue/queue-operations.ts'
import { JobHandle, type WaitOptions } from './job-handle.ts'
import { queueItemOf } from './queue-items.ts'
import { type QueueCallOptions, QueueReading, queueCallOf } from './queue-reading.ts'

/** Options of `enqueue`. */
export interface EnqueueOptions extends QueueCallOptions {
  /** True inserts the batch before all waiting items. The default is false. */
  readonly prepend?: boolean | undefined
}

/**
 * The queue of a server that can run graphs, which is a Tessera with an engine or an InvokeAI.
 *
 * @example
 * const copy = { id: 'n', type: 'save_image', image: { image_name }, board: { board_id } }
 * const itemId = await queue.enqueueOne({ graph: { id: 'g', nodes: { n: copy }, edges: [] } })
 */
export class QueueOperations extends QueueReading {
  readonly #events: EventStream

  /** @internal */
  constructor(http: Http, events: EventStream) {
    super(http)
    this.#events = events
  }

  /** Returns a handle that reads, cancels and awaits an item. No request is sent. */
  job(itemId: number, options: QueueCallOptions = {}): JobHandle {
    return new JobHandle(this, this.#events, itemId, options)
  }

  /**
   * Waits until no item is waiting or running.
   *
   * @param options.pollMs - The default is 2000.
   */
  async waitUntilIdle(options: QueueCallOptions & WaitOptions = {}): Promise<void> {
    const { timeoutMs, pollMs = 2000, ...call } = options
    const signal = anySignal([call.signal], timeoutMs)
    for (;;) {
      const { pending, in_progress, waiting } = (await this.status({ ...call, signal })).queue
      if (pending + in_progress + waiting === 0) return
      await sleep(pollMs, signal)
    }
  }

  /**
   * Adds a batch to the queue.
   *
   * @returns `item_ids` is sorted newest first. It has fewer items than requested if the queue is full.
   * @throws {RefusedError} `invalid_request`: the graph is invalid.
   */
  enqueue(batch: Batch, options: EnqueueOptions = {}): Promise<EnqueueBatchResult> {
    const { prepend = false, ...rest } = options
    const { params, call } = queueCallOf(rest)
    return this.http.call(enqueueBatch, { params, body: { batch, prepend }, ...call })
  }

  /**
   * Adds a batch with one item to the queue.
   *
   * @returns The id of the item.
   * @throws {GalleryError} The queue is full.
   * @throws {RefusedError} `invalid_request`: the graph is invalid.
   */
  async enqueueOne(batch: Batch, options: EnqueueOptions = {}): Promise<number> {
    const { item_ids } = await this.enqueue(batch, options)
    const [itemId] = item_ids
    if (itemId === undefined) throw new GalleryError('The queue took no item: it is full')
    return itemId
  }

  /**
   * Cancels an item. A finished item stays unchanged.
   *
   * @returns The item, or null if no item has this id.
   */
  async cancel(itemId: number, options: QueueCallOptions = {}): Promise<QueueItem | null> {
    const { params, call } = queueCallOf(options)
    try {
      const input = { params: { ...params, item_id: itemId }, ...call }
      return queueItemOf(await this.http.call(cancelQueueItem, input))
    } catch (error) {
      if (isRefused(error, 'queue_item_not_found')) return null
      throw error
    }
  }

  /**
   * Deletes an item. Cancels it first if it is not finished.
   *
   * @returns false if no item has this id.
   */
  async delete(itemId: number, options: QueueCallOptions = {}): Promise<boolean> {
    const { params, call } = queueCallOf(options)
    try {
      await this.http.call(deleteQueueItem, { params: { ...params, item_id: itemId }, ...call })
      return true
    } catch (error) {
      if (isRefused(error, 'queue_item_not_found')) return false
      throw error
    }
  }

  /**
   * Cancels the unfinished items of the given batches.
   *
   * @returns The number of canceled items.
   */
  async cancelBatches(
    batchIds: readonly string[],
    options: QueueCallOptions = {},
  ): Promise<number> {
    const { params, call } = queueCallOf(options)
    const body = { batch_ids: [...batchIds] }
    return (await this.http.call(cancelByBatchIds, { params, body, ...call })).canceled
  }

  /**
   * Cancels the unfinished items of a destination.
   *
   * @returns The number of canceled items.
   */
  async cancelDestination(destination: string, options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    const input = { params, query: { destination }, ...call }
    return (await this.http.call(cancelByDestination, input)).canceled
  }

  /**
   * Cancels all waiting items. The running item continues.
   *
   * @returns The number of canceled items.
   */
  async cancelAllExceptCurrent(options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    return (await this.http.call(cancelAllExceptCurrent, { params, ...call })).canceled
  }

  /**
   * Deletes all waiting items. The running item and finished items remain.
   *
   * @returns The number of deleted items.
   */
  async deleteAllExceptCurrent(options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    return (await this.http.call(deleteAllExceptCurrent, { params, ...call })).deleted
  }

  /**
   * Deletes all items of a destination. Cancels unfinished ones first.
   *
   * @returns The number of deleted items.
   */
  async deleteDestination(destination: string, options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    const input = { params: { ...params, destination }, ...call }
    return (await this.http.call(deleteByDestination, input)).deleted
  }

  /**
   * Adds failed or canceled items to the queue again, as new items.
   *
   * @returns The ids of the old items. Completed, waiting and unknown items are omitted.
   */
  async retry(itemIds: readonly number[], options: QueueCallOptions = {}): Promise<number[]> {
    const { params, call } = queueCallOf(options)
    const input = { params, body: [...itemIds], ...call }
    return (await this.http.call(retryQueueItems, input)).retried_item_ids
  }

  /**
   * Cancels the running item and deletes all items.
   *
   * @returns The number of deleted items.
   */
  async clear(options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    return (await this.http.call(clearQueue, { params, ...call })).deleted
  }

  /**
   * Deletes all finished items.
   *
   * @returns The number of deleted items.
   */
  async prune(options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    return (await this.http.call(pruneQueue, { params, ...call })).deleted
  }

  /** Pauses the processor of all queues. The running item continues. */
  pause(options: QueueCallOptions = {}): Promise<ProcessorStatus> {
    const { params, call } = queueCallOf(options)
    return this.http.call(pauseProcessor, { params, ...call })
  }

  /** Resumes the processor of all queues. */
  resume(options: QueueCallOptions = {}): Promise<ProcessorStatus> {
    const { params, call } = queueCallOf(options)
    return this.http.call(resumeProcessor, { params, ...call })
  }
}
