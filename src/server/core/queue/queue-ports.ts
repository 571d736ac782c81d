import type {
  BatchStatus,
  DestinationCounts,
  NodeFieldValue,
  QueueItem,
  SessionQueueStatus,
} from '#contract/queue/queue.ts'

export interface NewBatch {
  queueId: string
  batchId: string
  origin: string | null
  destination: string | null
  /** The checked graph as submitted, as JSON, without the field values of an item. */
  graph: string
  workflow: string | null
  /** Field values of each item, in execution order. */
  fieldValues: readonly (readonly NodeFieldValue[])[]
  /** True to add the items before the pending ones. */
  prepend: boolean
  /** Maximum number of pending items in the queue. Further items are dropped. */
  maxPending: number
}

/** The items of an added batch, newest first. */
export interface AddedItems {
  itemIds: number[]
  priority: number
}

/** An item without the data shared by its batch. */
export interface StoredItem extends Omit<QueueItem, 'session' | 'workflow'> {
  /** Key of its batch in {@link StoredItems.batches}. */
  batch: number
  /** Session as JSON; null until the item has ended. */
  session: string | null
}

/** Data shared by the items of a batch, as JSON. */
export interface StoredBatch {
  batch: number
  graph: string
  workflow: string | null
}

/** Items with their batches, each batch once. */
export interface StoredItems {
  items: StoredItem[]
  batches: StoredBatch[]
}

/** A selection of items of a queue, with its order. */
export type WhichItems =
  /** In this order; unknown IDs are skipped, repeated ones are repeated. */
  | { itemIds: readonly number[] }
  | { sessionId: string }
  /** At most one item: the running one, or the next one. */
  | { only: 'current' | 'next' }
  /** Items in execution order that follow `after`. A null `destination` selects all destinations. */
  | { destination: string | null; after: PlaceInOrder | null; limit: number }

/** Sort key of an item in its queue. It never changes. */
export type PlaceInOrder = Pick<QueueItem, 'priority' | 'item_id'>

export type AffectedItems =
  | { itemId: number }
  | { batchIds: readonly string[] }
  | { destination: string }
  | { those: 'all' | 'waiting' | 'ended' }

/** An item after a status change, with the new status of its batch and queue. */
export interface ItemChange {
  item: StoredItem
  batch_status: BatchStatus
  queue_status: SessionQueueStatus
}

/** An item canceled while it was pending. */
export type CanceledItem = Pick<QueueItem, 'item_id' | 'batch_id' | 'session_id'>

export interface Cancellation {
  /** Items that need their own status event: items named by ID, and the running item. */
  changes: ItemChange[]
  /** Pending items of a bulk cancellation, by ID. */
  waiting: CanceledItem[]
}

export interface ItemEnd {
  status: 'completed' | 'failed' | 'canceled'
  session: string
  error: { type: string; message: string; traceback: string } | null
}

/** Storage of all queues. A queue exists by use; it is not created. */
export interface QueueRecords {
  add(batch: NewBatch): Promise<AddedItems>
  items(queueId: string, which: WhichItems): Promise<StoredItems>
  /** Returns item IDs by age, regardless of priority. */
  itemIds(queueId: string, direction: 'ASC' | 'DESC'): Promise<number[]>
  status(queueId: string): Promise<SessionQueueStatus>
  batchStatus(queueId: string, batchId: string): Promise<BatchStatus>
  destinationCounts(queueId: string, destination: string): Promise<DestinationCounts>
  /**
   * Takes the next item of any queue and marks it as running.
   *
   * @param leaseMs - After this time another process may end the item, unless `renew` is called.
   * @returns null if no item is pending, or if the processors of all processes are paused.
   */
  startNext(device: string, leaseMs: number): Promise<(ItemChange & { batch: StoredBatch }) | null>
  /** Extends the leases of running items. Returns the items that still run: the others were canceled or deleted. */
  renew(itemIds: readonly number[], leaseMs: number): Promise<number[]>
  /**
   * Stores the result of a running item. A repeated call returns the same change. If the item was canceled or deleted,
   * only its session changes: null. If `recover` ended it, nothing changes: null.
   */
  end(itemId: number, end: ItemEnd): Promise<ItemChange | null>
  /** Cancels the unfinished ones of these items. */
  cancel(queueId: string, which: AffectedItems): Promise<Cancellation>
  /** Cancels the unfinished ones of these items and deletes all of them. */
  remove(queueId: string, which: AffectedItems): Promise<Cancellation & { deleted: number }>
  /** Enqueues the failed and canceled ones of these items again, up to `maxPending`. Returns their old IDs. */
  retry(queueId: string, itemIds: readonly number[], maxPending: number): Promise<number[]>
  /**
   * Cancels running items whose process died. In a database that several processes use, these are the items whose
   * lease ran out. In SQLite these are all running items, so it must be called before the first item starts.
   */
  recover(): Promise<ItemChange[]>
}

/** State that the processors of all processes share. */
export interface ProcessorRecords {
  /** After the promise resolves, no process starts an item until the processors are resumed. */
  setPaused(isPaused: boolean): Promise<void>
  /** `isRunning`: a process runs an item. */
  status(): Promise<{ isPaused: boolean; isRunning: boolean }>
}
