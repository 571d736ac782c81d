import type { Generated } from 'kysely'
import type { QueueItemStatus } from '#contract/queue/queue.ts'

export interface QueueBatchesTable {
  id: Generated<number>
  /** As submitted, without the values of its items. JSON, like every object in these tables. */
  graph: string
  workflow: string | null
}

export interface QueueItemsTable {
  item_id: Generated<number>
  queue_id: string
  /** `queue_batches.id`. `batch_id` is chosen by the client and may be reused with another graph. */
  batch: number
  batch_id: string
  session_id: string
  origin: string | null
  destination: string | null
  status: QueueItemStatus
  status_sequence: number
  priority: number
  field_values: string
  device: string | null
  error_type: string | null
  error_message: string | null
  error_traceback: string | null
  retried_from_item_id: number | null
  /** Milliseconds since 1970, like every time in these tables. */
  created_at: number
  updated_at: number
  started_at: number | null
  completed_at: number | null
}

/** The number of items that share these properties; there is no row for 0. Maintained by triggers. */
export interface QueueCountsTable {
  queue_id: string
  scope: 'queue' | 'batch' | 'destination'
  /** The batch's id, the destination, or empty. */
  name: string
  status: QueueItemStatus
  n: number
}

export interface QueueTables {
  queue_batches: QueueBatchesTable
  queue_items: QueueItemsTable
  /** The sessions of items that have ended. */
  queue_sessions: { item: number; session: string }
  queue_counts: QueueCountsTable
}
