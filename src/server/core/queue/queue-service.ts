import { SYSTEM_USER_ID } from '#contract/events.ts'
import {
  type BatchStatus,
  type DestinationCounts,
  type EnqueueBatchResult,
  MAX_PENDING_ITEMS,
  type ProcessorStatus,
  type QueueItem,
  type QueueItemSummary,
  type QueueStatus,
} from '#contract/queue/queue.ts'
import type { ValidationFault } from '#contract/refusal.ts'
import type { EventSink } from '#server/core/events/event-hub.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { GraphEngine } from './engine-ports.ts'
import { type Enqueueing, enqueueBatch } from './queue-enqueue.ts'
import {
  emitItemsCanceled,
  emitSessionComplete,
  emitSessionsCanceled,
  emitStatusChanged,
} from './queue-events.ts'
import { queueItemsOf, summaryOf } from './queue-items.ts'
import type { AffectedItems, Cancellation, QueueRecords, WhichItems } from './queue-ports.ts'
import type { QueueProcessor } from './queue-processor.ts'

/** Items that are read and written out in one turn: some milliseconds. */
const ITEMS_PER_PAGE = 100

export interface QueueParts {
  queue: QueueRecords
  engine: GraphEngine
  events: EventSink
  processor: QueueProcessor
}

/** What the wire asks of queues (wire 5). */
export class QueueService {
  readonly #parts: QueueParts

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  /** Puts a batch into a queue, as far as there is room, or says what is wrong with it. */
  enqueue(enqueueing: Enqueueing): Promise<EnqueueBatchResult | { faults: ValidationFault[] }> {
    return enqueueBatch(this.#parts, enqueueing)
  }

  async status(queueId: string): Promise<QueueStatus> {
    const queue = await this.#parts.queue.status(queueId)
    return { queue, processor: this.#parts.processor.status() }
  }

  /** @throws {Refusal} `queue_item_not_found`, for an item of another queue too. */
  async item(queueId: string, itemId: number): Promise<QueueItem> {
    const [item] = await this.items(queueId, { itemIds: [itemId] })
    return item ?? notFound(`id ${itemId}`, queueId)
  }

  /** @throws {Refusal} `queue_item_not_found`. */
  async ofSession(queueId: string, sessionId: string): Promise<QueueItem> {
    const [item] = await this.items(queueId, { sessionId })
    return item ?? notFound(`session id ${sessionId}`, queueId)
  }

  async items(queueId: string, which: WhichItems): Promise<QueueItem[]> {
    const { queue, engine } = this.#parts
    return queueItemsOf(await queue.items(queueId, which), engine)
  }

  /** Every item in the order in which they run, some at a time: a long queue is many megabytes. */
  async *itemsInOrder(queueId: string, destination: string | null): AsyncGenerator<QueueItem[]> {
    for (let after: QueueItem | null = null; ; ) {
      const items: QueueItem[] = await this.items(queueId, {
        destination,
        after: after && { priority: after.priority, item_id: after.item_id },
        limit: ITEMS_PER_PAGE,
      })
      yield items
      after = items[ITEMS_PER_PAGE - 1] ?? null
      if (after === null) return
    }
  }

  async summaries(queueId: string, itemIds: readonly number[]): Promise<QueueItemSummary[]> {
    return (await this.#parts.queue.items(queueId, { itemIds })).items.map(summaryOf)
  }

  itemIds(queueId: string, direction: 'ASC' | 'DESC'): Promise<number[]> {
    return this.#parts.queue.itemIds(queueId, direction)
  }

  batchStatus(queueId: string, batchId: string): Promise<BatchStatus> {
    return this.#parts.queue.batchStatus(queueId, batchId)
  }

  destinationCounts(queueId: string, destination: string): Promise<DestinationCounts> {
    return this.#parts.queue.destinationCounts(queueId, destination)
  }

  /**
   * Cancels one item; one that has ended stays as it is.
   *
   * @throws {Refusal} `queue_item_not_found`.
   */
  async cancelItem(queueId: string, itemId: number): Promise<QueueItem> {
    await this.cancel(queueId, { itemId })
    return this.item(queueId, itemId)
  }

  /** Cancels what of these has not ended. Returns how many that were. */
  async cancel(queueId: string, which: AffectedItems): Promise<number> {
    const canceled = await this.#parts.queue.cancel(queueId, which)
    await this.#tell(queueId, canceled)
    return canceled.changes.length + canceled.waiting.length
  }

  /** @throws {Refusal} `queue_item_not_found`. */
  async deleteItem(queueId: string, itemId: number): Promise<void> {
    const deleted = await this.delete(queueId, { itemId })
    if (deleted === 0) notFound(`id ${itemId}`, queueId)
  }

  /** Deletes all of these, and cancels first what has not ended. Returns how many they were. */
  async delete(queueId: string, which: AffectedItems): Promise<number> {
    const removed = await this.#parts.queue.remove(queueId, which)
    await this.#tell(queueId, removed)
    return removed.deleted
  }

  /** Cancels what runs and deletes every item. */
  async clear(queueId: string): Promise<number> {
    const { queue, events } = this.#parts
    const removed = await queue.remove(queueId, { those: 'all' })
    this.#tellChanges(removed)
    events.emit('queue_cleared', { queue_id: queueId, user_id: null })
    await emitSessionsCanceled(events, queueId, removed.waiting)
    return removed.deleted
  }

  /** Puts what failed or was canceled into the queue once more, as far as there is room. Returns the old ids. */
  async retry(queueId: string, itemIds: readonly number[]): Promise<number[]> {
    const { queue, events, processor } = this.#parts
    const retried_item_ids = await queue.retry(queueId, itemIds, MAX_PENDING_ITEMS)
    if (retried_item_ids.length === 0) return []
    events.emit('queue_items_retried', {
      queue_id: queueId,
      retried_item_ids,
      user_ids: [SYSTEM_USER_ID],
      retried_item_ids_by_user: { [SYSTEM_USER_ID]: retried_item_ids },
    })
    processor.wake()
    return retried_item_ids
  }

  pause(): Promise<ProcessorStatus> {
    return this.#parts.processor.pause()
  }

  resume(): ProcessorStatus {
    return this.#parts.processor.resume()
  }

  async #tell(queueId: string, canceled: Cancellation): Promise<void> {
    this.#tellChanges(canceled)
    emitItemsCanceled(this.#parts.events, queueId, canceled.waiting)
    await emitSessionsCanceled(this.#parts.events, queueId, canceled.waiting)
  }

  /** Ends the work on them before their last events, so that nothing is told of them afterwards. */
  #tellChanges({ changes }: Cancellation): void {
    const { events, processor } = this.#parts
    for (const change of changes) {
      processor.drop(change.item.item_id)
      emitStatusChanged(events, change)
      emitSessionComplete(events, change)
    }
  }
}

const notFound = (what: string, queueId: string): never => {
  throw new Refusal('queue_item_not_found', `Queue item with ${what} not found in queue ${queueId}`)
}
