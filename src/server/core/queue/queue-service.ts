import { SYSTEM_USER_ID } from '#contract/events.ts'
import {
  type EnqueueBatchResult,
  MAX_PENDING_ITEMS,
  type QueueItem,
  type QueueStatus,
} from '#contract/queue/queue.ts'
import type { ValidationFault } from '#contract/refusal-bodies.ts'
import { Refusal } from '#server/core/refusal.ts'
import { type Enqueueing, enqueueBatch, type QueueParts } from './queue-enqueue.ts'
import { emitEnded, emitItemsCanceled, emitSessionsCanceled } from './queue-events.ts'
import { queueItemsOf } from './queue-items.ts'
import type { AffectedItems, Cancellation, WhichItems } from './queue-ports.ts'

/** Items read and serialized per turn of the event loop, which takes a few milliseconds. */
const ITEMS_PER_PAGE = 100

export class QueueService {
  readonly #parts: QueueParts

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  /** Adds a batch to a queue, up to the maximum number of pending items, or returns its faults. */
  enqueue(enqueueing: Enqueueing): Promise<EnqueueBatchResult | { faults: ValidationFault[] }> {
    return enqueueBatch(this.#parts, enqueueing)
  }

  async status(queueId: string): Promise<QueueStatus> {
    const { queue, processor } = this.#parts
    return { queue: await queue.status(queueId), processor: await processor.status() }
  }

  /** @throws {Refusal} `queue_item_not_found`, also for an item of another queue. */
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

  /** Yields all items in execution order, in pages: a long queue takes many megabytes. */
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

  /**
   * Cancels one item. A finished item does not change.
   *
   * @throws {Refusal} `queue_item_not_found`.
   */
  async cancelItem(queueId: string, itemId: number): Promise<QueueItem> {
    await this.cancel(queueId, { itemId })
    return this.item(queueId, itemId)
  }

  /** Cancels the unfinished ones of these items. Returns their number. */
  async cancel(queueId: string, which: AffectedItems): Promise<number> {
    const canceled = await this.#parts.queue.cancel(queueId, which)
    await this.#emitCancellation(queueId, canceled)
    return canceled.changes.length + canceled.waiting.length
  }

  /** @throws {Refusal} `queue_item_not_found`. */
  async deleteItem(queueId: string, itemId: number): Promise<void> {
    const deleted = await this.delete(queueId, { itemId })
    if (deleted === 0) notFound(`id ${itemId}`, queueId)
  }

  /** Cancels the unfinished ones of these items and deletes all. Returns the number of deleted items. */
  async delete(queueId: string, which: AffectedItems): Promise<number> {
    const removed = await this.#parts.queue.remove(queueId, which)
    await this.#emitCancellation(queueId, removed)
    return removed.deleted
  }

  /** Cancels the running item and deletes all items. */
  async clear(queueId: string): Promise<number> {
    const { queue, events } = this.#parts
    const removed = await queue.remove(queueId, { those: 'all' })
    this.#emitChanges(removed)
    events.emit('queue_cleared', { queue_id: queueId, user_id: null })
    await emitSessionsCanceled(events, queueId, removed.waiting)
    return removed.deleted
  }

  /** Enqueues failed and canceled items again, up to the maximum number of pending items. Returns the old IDs. */
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

  async #emitCancellation(queueId: string, canceled: Cancellation): Promise<void> {
    this.#emitChanges(canceled)
    emitItemsCanceled(this.#parts.events, queueId, canceled.waiting)
    await emitSessionsCanceled(this.#parts.events, queueId, canceled.waiting)
  }

  /** Stops running items before emitting their final events, so that no event follows. */
  #emitChanges({ changes }: Cancellation): void {
    const { events, processor } = this.#parts
    if (changes.length === 0) return
    processor.drop(changes.map(({ item }) => item.item_id))
    for (const change of changes) emitEnded(events, change)
  }
}

const notFound = (what: string, queueId: string): never => {
  throw new Refusal('queue_item_not_found', `Queue item with ${what} not found in queue ${queueId}`)
}
