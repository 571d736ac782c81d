import { isRefused, orIfRefused, RefusedError } from '#client/errors.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { inParts } from '#client/transport/in-parts.ts'
import type {
  BatchStatus,
  DestinationCounts,
  QueueItem,
  QueueItemSummary,
  QueueStatus,
} from '#contract/queue/queue.ts'
import { DEFAULT_QUEUE_ID, MAX_ITEM_IDS } from '#contract/queue/queue.ts'
import {
  countByDestination,
  getBatchStatus,
  getCurrentQueueItem,
  getNextQueueItem,
  getQueueItem,
  getQueueSession,
  getQueueStatus,
  listQueueItemIds,
  listQueueItemSummariesByIds,
  listQueueItems,
  listQueueItemsByIds,
} from '#contract/queue/queue-operations.ts'
import { queueItemOf, withAllCounts } from './queue-items.ts'

/** Options of all queue requests. */
export interface QueueCallOptions extends CallOptions {
  /** Id of the queue. The default is `default`. */
  readonly queueId?: string | undefined
}

/** Returns the input of a call about a queue: its path parameters and the options of the transport. */
export const queueCall = <Params extends object>(
  { queueId = DEFAULT_QUEUE_ID, ...call }: QueueCallOptions,
  params?: Params,
) => ({ ...call, params: Object.assign({ queue_id: queueId }, params) })

/** For an item of another queue, InvokeAI answers 500 with the intended 404 in the message. */
const isOfAnotherQueue = (error: unknown): boolean =>
  error instanceof RefusedError && error.status === 500 && error.detail.includes('404')

/** Read requests of the queue. */
export class QueueReading {
  /** @internal */
  protected readonly http: Http

  /** @internal */
  constructor(http: Http) {
    this.http = http
  }

  /** Counts the items by status, and reads the running item. */
  async status(options: QueueCallOptions = {}): Promise<QueueStatus> {
    const { queue, processor } = await this.http.call(getQueueStatus, queueCall(options))
    const noUser = { user_pending: null, user_in_progress: null }
    return { queue: { ...noUser, ...withAllCounts(queue) }, processor }
  }

  /** Reads one item. Returns null if this queue has no item with this id. */
  async item(itemId: number, options: QueueCallOptions = {}): Promise<QueueItem | null> {
    try {
      const input = queueCall(options, { item_id: itemId })
      return queueItemOf(await this.http.call(getQueueItem, input))
    } catch (error) {
      if (isRefused(error, 'queue_item_not_found') || isOfAnotherQueue(error)) return null
      throw error
    }
  }

  /**
   * Finds the item that runs a session. InvokeAI lacks this request, so there all items are read and searched.
   *
   * @returns null if no item has this session.
   */
  async session(sessionId: string, options: QueueCallOptions = {}): Promise<QueueItem | null> {
    const call = this.http.call(getQueueSession, queueCall(options, { session_id: sessionId }))
    const item = await orIfRefused(call, null, 404)
    if (item !== null) return queueItemOf(item)
    const items = await this.list(options)
    return items.find(({ session_id }) => session_id === sessionId) ?? null
  }

  /** Reads the running item. Returns null if no item is running. */
  async current(options: QueueCallOptions = {}): Promise<QueueItem | null> {
    const item = await this.http.call(getCurrentQueueItem, queueCall(options))
    return item === null ? null : queueItemOf(item)
  }

  /** Reads the item that runs next. Returns null if no item is waiting. */
  async next(options: QueueCallOptions = {}): Promise<QueueItem | null> {
    const item = await this.http.call(getNextQueueItem, queueCall(options))
    return item === null ? null : queueItemOf(item)
  }

  /**
   * Lists all items with their graphs, in execution order: by priority, then oldest first. A long queue takes
   * many megabytes; `itemIds` and `summaries` are small.
   *
   * @param options.destination - Only items of this destination.
   */
  async list(options: QueueCallOptions & { destination?: string } = {}): Promise<QueueItem[]> {
    const { destination, ...rest } = options
    const input = { query: { destination }, ...queueCall(rest) }
    return (await this.http.call(listQueueItems, input)).map(queueItemOf)
  }

  /**
   * Lists the ids of all items.
   *
   * @param options.orderDir - The default is `DESC`, newest first.
   */
  async itemIds(options: QueueCallOptions & { orderDir?: 'ASC' | 'DESC' } = {}): Promise<number[]> {
    const { orderDir, ...rest } = options
    const input = { query: { order_dir: orderDir }, ...queueCall(rest) }
    return (await this.http.call(listQueueItemIds, input)).item_ids
  }

  /** Reads the items with these ids, in that order. Unknown ids are omitted. */
  async items(itemIds: readonly number[], options: QueueCallOptions = {}): Promise<QueueItem[]> {
    const read = (item_ids: number[]) =>
      this.http.call(listQueueItemsByIds, { body: { item_ids }, ...queueCall(options) })
    return (await inParts(itemIds, read, MAX_ITEM_IDS)).flat().map(queueItemOf)
  }

  /** Like {@link items}, without graphs and other large fields. InvokeAI supports this since 6.14. */
  async summaries(
    itemIds: readonly number[],
    options: QueueCallOptions = {},
  ): Promise<QueueItemSummary[]> {
    const read = (item_ids: number[]) =>
      this.http.call(listQueueItemSummariesByIds, { body: { item_ids }, ...queueCall(options) })
    return (await inParts(itemIds, read, MAX_ITEM_IDS)).flat()
  }

  /** Counts the items of a batch by status. An unknown batch has none. */
  async batchStatus(batchId: string, options: QueueCallOptions = {}): Promise<BatchStatus> {
    const input = queueCall(options, { batch_id: batchId })
    return withAllCounts(await this.http.call(getBatchStatus, input))
  }

  /** Counts the items of a destination by status. */
  async destinationCounts(
    destination: string,
    options: QueueCallOptions = {},
  ): Promise<DestinationCounts> {
    const input = { query: { destination }, ...queueCall(options) }
    return withAllCounts(await this.http.call(countByDestination, input))
  }
}
