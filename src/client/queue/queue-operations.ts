import { GalleryError, isRefused } from '#client/errors.ts'
import type { Batch, EnqueueBatchResult, ProcessorStatus, QueueItem } from '#client/records.ts'
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
import { queueItemOf } from './queue-items.ts'
import { type QueueCallOptions, QueueReading, queueCallOf } from './queue-reading.ts'

/** What enqueueing takes. */
export interface EnqueueOptions extends QueueCallOptions {
  /** Before what waits already. The default is false. */
  readonly prepend?: boolean | undefined
}

/**
 * The queue of a server that has an engine (spec 4.1), a Tessera or an InvokeAI.
 *
 * @example
 * const copy = { id: 'n', type: 'save_image', image: { image_name }, board: { board_id } }
 * const itemId = await queue.enqueueOne({ graph: { id: 'g', nodes: { n: copy }, edges: [] } })
 */
export class QueueOperations extends QueueReading {
  /**
   * Puts a batch into the queue.
   *
   * @returns `item_ids` has the newest first; fewer than asked for where the queue was full.
   * @throws {RefusedError} `invalid_request`: the graph cannot be run.
   */
  enqueue(batch: Batch, options: EnqueueOptions = {}): Promise<EnqueueBatchResult> {
    const { prepend = false, ...rest } = options
    const { params, call } = queueCallOf(rest)
    return this.http.call(enqueueBatch, { params, body: { batch, prepend }, ...call })
  }

  /**
   * Puts a batch of one item into the queue.
   *
   * @returns The item's id.
   * @throws {GalleryError} The queue was full.
   */
  async enqueueOne(batch: Batch, options: EnqueueOptions = {}): Promise<number> {
    const { item_ids } = await this.enqueue(batch, options)
    const [itemId] = item_ids
    if (itemId === undefined) throw new GalleryError('The queue took no item: it is full')
    return itemId
  }

  /** Cancels an item; one that has ended stays as it is. null: there is none of this id. */
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

  /** Deletes an item, and cancels it first if it has not ended. false: there is none of this id. */
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

  /** Cancels what has not ended of some batches. Returns how many items. */
  async cancelBatches(
    batchIds: readonly string[],
    options: QueueCallOptions = {},
  ): Promise<number> {
    const { params, call } = queueCallOf(options)
    const body = { batch_ids: [...batchIds] }
    return (await this.http.call(cancelByBatchIds, { params, body, ...call })).canceled
  }

  /** Cancels what has not ended of a destination. Returns how many items. */
  async cancelDestination(destination: string, options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    const input = { params, query: { destination }, ...call }
    return (await this.http.call(cancelByDestination, input)).canceled
  }

  /** Cancels what waits; what runs goes on. Returns how many items. */
  async cancelAllExceptCurrent(options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    return (await this.http.call(cancelAllExceptCurrent, { params, ...call })).canceled
  }

  /** Deletes what waits; what runs and what has ended stays. Returns how many items. */
  async deleteAllExceptCurrent(options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    return (await this.http.call(deleteAllExceptCurrent, { params, ...call })).deleted
  }

  /** Deletes every item of a destination, and cancels first what has not ended. Returns how many items. */
  async deleteDestination(destination: string, options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    const input = { params: { ...params, destination }, ...call }
    return (await this.http.call(deleteByDestination, input)).deleted
  }

  /**
   * Puts items that failed or were canceled into the queue once more, as new items.
   *
   * @returns The ids of the old items. What completed, waits or is unknown is left out.
   */
  async retry(itemIds: readonly number[], options: QueueCallOptions = {}): Promise<number[]> {
    const { params, call } = queueCallOf(options)
    const input = { params, body: [...itemIds], ...call }
    return (await this.http.call(retryQueueItems, input)).retried_item_ids
  }

  /** Cancels what runs and deletes every item. Returns how many items. */
  async clear(options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    return (await this.http.call(clearQueue, { params, ...call })).deleted
  }

  /** Deletes every item that has ended. Returns how many items. */
  async prune(options: QueueCallOptions = {}): Promise<number> {
    const { params, call } = queueCallOf(options)
    return (await this.http.call(pruneQueue, { params, ...call })).deleted
  }

  /** Starts no further item of any queue. What runs goes on. */
  pause(options: QueueCallOptions = {}): Promise<ProcessorStatus> {
    const { params, call } = queueCallOf(options)
    return this.http.call(pauseProcessor, { params, ...call })
  }

  /** Goes on with what waits in all queues. */
  resume(options: QueueCallOptions = {}): Promise<ProcessorStatus> {
    const { params, call } = queueCallOf(options)
    return this.http.call(resumeProcessor, { params, ...call })
  }
}
