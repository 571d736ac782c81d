import { GalleryError, orIfRefused } from '#client/errors.ts'
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
import { type QueueCallOptions, QueueReading, queueCall } from './queue-reading.ts'

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
    return this.http.call(enqueueBatch, { body: { batch, prepend }, ...queueCall(rest) })
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

  /** Cancels an item and returns it; null if no item has this id. A finished item stays unchanged. */
  async cancel(itemId: number, options: QueueCallOptions = {}): Promise<QueueItem | null> {
    const call = this.http.call(cancelQueueItem, queueCall(options, { item_id: itemId }))
    return orIfRefused(call.then(queueItemOf), null, 'queue_item_not_found')
  }

  /** Deletes an item, after canceling an unfinished one. Returns false if no item has this id. */
  async delete(itemId: number, options: QueueCallOptions = {}): Promise<boolean> {
    const call = this.http.call(deleteQueueItem, queueCall(options, { item_id: itemId }))
    const deleted = call.then(() => true)
    return orIfRefused(deleted, false, 'queue_item_not_found')
  }

  /** Cancels the unfinished items of the given batches, and returns their number. */
  async cancelBatches(
    batchIds: readonly string[],
    options: QueueCallOptions = {},
  ): Promise<number> {
    const input = { body: { batch_ids: [...batchIds] }, ...queueCall(options) }
    return (await this.http.call(cancelByBatchIds, input)).canceled
  }

  /** Cancels the unfinished items of a destination, and returns their number. */
  async cancelDestination(destination: string, options: QueueCallOptions = {}): Promise<number> {
    const input = { query: { destination }, ...queueCall(options) }
    return (await this.http.call(cancelByDestination, input)).canceled
  }

  /** Cancels all waiting items, and returns their number. The running item continues. */
  async cancelAllExceptCurrent(options: QueueCallOptions = {}): Promise<number> {
    return (await this.http.call(cancelAllExceptCurrent, queueCall(options))).canceled
  }

  /** Deletes all waiting items, and returns their number. Running and finished items remain. */
  async deleteAllExceptCurrent(options: QueueCallOptions = {}): Promise<number> {
    return (await this.http.call(deleteAllExceptCurrent, queueCall(options))).deleted
  }

  /** Deletes all items of a destination, and returns their number. Cancels unfinished ones first. */
  async deleteDestination(destination: string, options: QueueCallOptions = {}): Promise<number> {
    const input = queueCall(options, { destination })
    return (await this.http.call(deleteByDestination, input)).deleted
  }

  /**
   * Adds failed or canceled items to the queue again, as new items.
   *
   * @returns The ids of the old items. Completed, waiting and unknown items are omitted.
   */
  async retry(itemIds: readonly number[], options: QueueCallOptions = {}): Promise<number[]> {
    const input = { body: [...itemIds], ...queueCall(options) }
    return (await this.http.call(retryQueueItems, input)).retried_item_ids
  }

  /** Cancels the running item, deletes all items, and returns the number of deleted items. */
  async clear(options: QueueCallOptions = {}): Promise<number> {
    return (await this.http.call(clearQueue, queueCall(options))).deleted
  }

  /** Deletes all finished items, and returns their number. */
  async prune(options: QueueCallOptions = {}): Promise<number> {
    return (await this.http.call(pruneQueue, queueCall(options))).deleted
  }

  /** Pauses the processor of all queues. The running item continues. */
  pause(options: QueueCallOptions = {}): Promise<ProcessorStatus> {
    return this.http.call(pauseProcessor, queueCall(options))
  }

  /** Resumes the processor of all queues. */
  resume(options: QueueCallOptions = {}): Promise<ProcessorStatus> {
    return this.http.call(resumeProcessor, queueCall(options))
  }
}
