import type { QueueCounts, QueueItem } from '#contract/queue/queue.ts'

/** Values of absent fields: servers omit nulls in a single item, and older servers lack some fields. */
const absentFields = {
  origin: null,
  destination: null,
  device: null,
  error_type: null,
  error_message: null,
  error_traceback: null,
  started_at: null,
  completed_at: null,
  status_sequence: null,
  user_id: 'system',
  user_display_name: null,
  user_email: null,
  field_values: null,
  retried_from_item_id: null,
  workflow_call_id: null,
  parent_item_id: null,
  parent_session_id: null,
  root_item_id: null,
  workflow_call_depth: null,
  workflow: null,
} satisfies Partial<QueueItem>

/** Returns a queue item with all fields of the contract. */
export const queueItemOf = (item: object): QueueItem =>
  ({ ...absentFields, ...item }) as unknown as QueueItem

/** Adds `waiting` to the counts of older servers, which have no such status. */
export const withAllCounts = <T extends QueueCounts>(counts: T): T => ({
  ...counts,
  waiting: counts.waiting ?? 0,
})
