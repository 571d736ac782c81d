import { isRefused, RefusedError } from '#client/errors.ts'
import type {
  BatchStatus,
  DestinationCounts,
  QueueItem,
  QueueItemSummary,
  QueueStatus,
} from '#client/records.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { inParts } from '#client/transport/in-parts.ts'
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

/** What every call of the queue takes. */
export interface QueueCallOptions extends CallOptions {
  /** The default is `default`. */
  readonly queueId?: string | undefined
}

/** Options of a call as the transport takes them, and the queue that they name. */
export const queueCallOf = ({ queueId = DEFAULT_QUEUE_ID, ...call }: QueueCallOptions) => ({
  params: { queue_id: queueId },
  call,
})

/** InvokeAI answers 500 for an item that is in another queue, and names the 404 that it meant (wire 5). */
const isOfAnotherQueue = (error: unknown): boolean =>
  error instanceof RefusedError && error.status === 500 && error.detail.includes('404')

/** What can be asked of a queue. */
export class QueueReading {
  protected readonly http: Http

  constructor(http: Http) {
    this.http = http
  }

  /** How many items stand where, and which of them runs. */
  async status(options: QueueCallOptions = {}): Promise<QueueStatus> {
    const { params, call } = queueCallOf(options)
    const { queue, processor } = await this.http.call(getQueueStatus, { params, ...call })
    const noUser = { user_pending: null, user_in_progress: null }
    return { queue: { ...noUser, ...withAllCounts(queue) }, processor }
  }

  /** One item; null when there is none of this id in this queue. */
  async item(itemId: number, options: QueueCallOptions = {}): Promise<QueueItem | null> {
    const { params, call } = queueCallOf(options)
    try {
      const input = { params: { ...params, item_id: itemId }, ...call }
      return queueItemOf(await this.http.call(getQueueItem, input))
    } catch (error) {
      if (isRefused(error, 'queue_item_not_found') || isOfAnotherQueue(error)) return null
      throw error
    }
  }

  /**
   * The item that runs a session; null when there is none. InvokeAI has no such call, so there it is
   * looked up among all items (wire 11, row 17).
   */
  async session(sessionId: string, options: QueueCallOptions = {}): Promise<QueueItem | null> {
    const { params, call } = queueCallOf(options)
    try {
      const input = { params: { ...params, session_id: sessionId }, ...call }
      return queueItemOf(await this.http.call(getQueueSession, input))
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 404) throw error
      const items = await this.list(options)
      return items.find((item) => item.session_id === sessionId) ?? null
    }
  }

  /** The item that runs; null: none does. */
  async current(options: QueueCallOptions = {}): Promise<QueueItem | null> {
    const { params, call } = queueCallOf(options)
    const item = await this.http.call(getCurrentQueueItem, { params, ...call })
    return item === null ? null : queueItemOf(item)
  }

  /** The item that runs next; null: none waits. */
  async next(options: QueueCallOptions = {}): Promise<QueueItem | null> {
    const { params, call } = queueCallOf(options)
    const item = await this.http.call(getNextQueueItem, { params, ...call })
    return item === null ? null : queueItemOf(item)
  }

  /**
   * Every item with its graph, in the order in which they run: the highest priority first, then by age.
   * A long queue is many megabytes; `itemIds` and `summaries` are small.
   */
  async list(options: QueueCallOptions & { destination?: string } = {}): Promise<QueueItem[]> {
    const { destination, ...rest } = options
    const { params, call } = queueCallOf(rest)
    const items = await this.http.call(listQueueItems, { params, query: { destination }, ...call })
    return items.map(queueItemOf)
  }

  /** The ids of every item, the newest first unless told. */
  async itemIds(options: QueueCallOptions & { orderDir?: 'ASC' | 'DESC' } = {}): Promise<number[]> {
    const { orderDir, ...rest } = options
    const { params, call } = queueCallOf(rest)
    const query = { order_dir: orderDir }
    return (await this.http.call(listQueueItemIds, { params, query, ...call })).item_ids
  }

  /** The items with these ids, in that order. Unknown ones are left out. */
  async items(itemIds: readonly number[], options: QueueCallOptions = {}): Promise<QueueItem[]> {
    const { params, call } = queueCallOf(options)
    const answers = await inParts(
      itemIds,
      (item_ids) => this.http.call(listQueueItemsByIds, { params, body: { item_ids }, ...call }),
      MAX_ITEM_IDS,
    )
    return answers.flat().map(queueItemOf)
  }

  /** The same in short, without graphs. InvokeAI has it since 6.14. */
  async summaries(
    itemIds: readonly number[],
    options: QueueCallOptions = {},
  ): Promise<QueueItemSummary[]> {
    const { params, call } = queueCallOf(options)
    const answers = await inParts(
      itemIds,
      (item_ids) =>
        this.http.call(listQueueItemSummariesByIds, { params, body: { item_ids }, ...call }),
      MAX_ITEM_IDS,
    )
    return answers.flat()
  }

  /** How many items of a batch stand where. An unknown batch has none. */
  async batchStatus(batchId: string, options: QueueCallOptions = {}): Promise<BatchStatus> {
    const { params, call } = queueCallOf(options)
    const input = { params: { ...params, batch_id: batchId }, ...call }
    return withAllCounts(await this.http.call(getBatchStatus, input))
  }

  /** How many items with a destination stand where. */
  async destinationCounts(
    destination: string,
    options: QueueCallOptions = {},
  ): Promise<DestinationCounts> {
    const { params, call } = queueCallOf(options)
    const input = { params, query: { destination }, ...call }
    return withAllCounts(await this.http.call(countByDestination, input))
  }
}
