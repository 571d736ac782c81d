import type {
  BatchStatus,
  DestinationCounts,
  NodeFieldValue,
  QueueItem,
  SessionQueueStatus,
} from '#contract/queue/queue.ts'

/** A batch about to be put into a queue. */
export interface NewBatch {
  queueId: string
  batchId: string
  origin: string | null
  destination: string | null
  /** As submitted, checked, as JSON; the values of an item are not written into it. */
  graph: string
  workflow: string | null
  /** What each item writes into the graph, in the order in which they run. */
  fieldValues: readonly (readonly NodeFieldValue[])[]
  /** Before what waits already. */
  prepend: boolean
  /** How many may wait in the queue; what is beyond is not taken. */
  maxPending: number
}

/** The items that a batch became, the newest first. */
export interface AddedItems {
  itemIds: number[]
  priority: number
}

/** An item without what it shares with all items of its batch. */
export interface StoredItem extends Omit<QueueItem, 'session' | 'workflow'> {
  /** The key of its batch among those that came along. */
  batch: number
  /** The session as JSON; null until the item has ended. */
  session: string | null
}

/** What the items of a batch share. JSON. */
export interface StoredBatch {
  batch: number
  graph: string
  workflow: string | null
}

/** Items, and the batches that they name, each once. */
export interface StoredItems {
  items: StoredItem[]
  batches: StoredBatch[]
}

/** Items of a queue, and the order they come in. */
export type WhichItems =
  /** In that order; unknown ones are left out, repeats are repeated. */
  | { itemIds: readonly number[] }
  | { sessionId: string }
  /** At most one: the one that runs, or the one that runs next. */
  | { only: 'current' | 'next' }
  /** In the order in which they run, those behind `after`; a null destination: whatever it is. */
  | { destination: string | null; after: PlaceInOrder | null; limit: number }

/** Where an item stands among those of its queue. It never changes. */
export type PlaceInOrder = Pick<QueueItem, 'priority' | 'item_id'>

/** Items of a queue that a change is about. */
export type AffectedItems =
  | { itemId: number }
  | { batchIds: readonly string[] }
  | { destination: string }
  | { those: 'all' | 'waiting' | 'ended' }

/** An item whose status has changed, and how its batch and its queue stand since. */
export interface ItemChange {
  item: StoredItem
  batch_status: BatchStatus
  queue_status: SessionQueueStatus
}

/** An item that was canceled while it waited. */
export type CanceledItem = Pick<QueueItem, 'item_id' | 'batch_id' | 'session_id'>

/** What canceling did. */
export interface Cancellation {
  /** Those to be told of one by one: what was named by its id, and what ran. */
  changes: ItemChange[]
  /** What waited, where many were canceled at once. By id. */
  waiting: CanceledItem[]
}

/** How an item ended. */
export interface ItemEnd {
  status: 'completed' | 'failed' | 'canceled'
  session: string
  error: { type: string; message: string; traceback: string } | null
}

/** The queues. A queue is there by use. */
export interface QueueRecords {
  add(batch: NewBatch): Promise<AddedItems>
  items(queueId: string, which: WhichItems): Promise<StoredItems>
  /** By age, whatever their priority. */
  itemIds(queueId: string, direction: 'ASC' | 'DESC'): Promise<number[]>
  status(queueId: string): Promise<SessionQueueStatus>
  batchStatus(queueId: string, batchId: string): Promise<BatchStatus>
  destinationCounts(queueId: string, destination: string): Promise<DestinationCounts>
  /** Takes the item that runs next, of whatever queue, and notes that it runs. null: nothing waits. */
  startNext(device: string): Promise<(ItemChange & { batch: StoredBatch }) | null>
  /** Notes how an item that runs ended. null: it was canceled or deleted before, so nothing changes but its session. */
  end(itemId: number, end: ItemEnd): Promise<ItemChange | null>
  /** Cancels what of these has not ended. */
  cancel(queueId: string, which: AffectedItems): Promise<Cancellation>
  /** Cancels what of these has not ended, and deletes them all. */
  remove(queueId: string, which: AffectedItems): Promise<Cancellation & { deleted: number }>
  /**
   * Puts what failed or was canceled of these into the queue once more, as far as there is room. Returns
   * the ids of the old ones.
   */
  retry(queueId: string, itemIds: readonly number[], maxPending: number): Promise<number[]>
  /** Cancels what ran when an earlier run of the server ended. Returns how many. */
  recover(): Promise<number>
}
