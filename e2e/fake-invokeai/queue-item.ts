import { randomUUID } from 'node:crypto'
import type { FakeGraph } from './graph.ts'
import { timestamp } from './library.ts'

export type Status = 'pending' | 'in_progress' | 'waiting' | 'completed' | 'failed' | 'canceled'

export const isFinal = (status: Status): boolean =>
  status === 'completed' || status === 'failed' || status === 'canceled'

/** A batch value that was written into a node of an item. */
export interface FieldValue {
  node_path: string
  field_name: string
  value: unknown
}

export interface Fault {
  error_type: string
  error_message: string
  error_traceback: string
}

/** The properties of a new item. */
export interface ItemOptions {
  itemId: number
  queueId: string
  batchId: string
  userId: string
  priority: number
  origin: string | null
  destination: string | null
  graph: FakeGraph
  fieldValues: FieldValue[]
  retriedFrom?: number
}

export type StoredItem = ReturnType<typeof newItem>

/** Creates a SessionQueueItem as it is stored and sent. `session` is a GraphExecutionState. */
export function newItem(options: ItemOptions) {
  const now = timestamp()
  const sessionId = randomUUID()
  return {
    item_id: options.itemId,
    status: 'pending' as Status,
    status_sequence: 0,
    priority: options.priority,
    batch_id: options.batchId,
    session_id: sessionId,
    origin: options.origin,
    destination: options.destination,
    error_type: null as string | null,
    error_message: null as string | null,
    error_traceback: null as string | null,
    created_at: now,
    updated_at: now,
    started_at: null as string | null,
    completed_at: null as string | null,
    queue_id: options.queueId,
    user_id: options.userId,
    user_display_name: null,
    user_email: null,
    field_values: options.fieldValues,
    retried_from_item_id: options.retriedFrom ?? null,
    device: null as string | null,
    workflow_call_id: null,
    parent_item_id: null,
    parent_session_id: null,
    root_item_id: null,
    workflow_call_depth: null,
    workflow: null,
    session: {
      id: sessionId,
      graph: options.graph,
      execution_graph: { id: sessionId, nodes: {}, edges: [] } as FakeGraph,
      executed: [] as string[],
      executed_history: [] as string[],
      results: {} as Record<string, Record<string, unknown>>,
      errors: {} as Record<string, string>,
      prepared_source_mapping: {} as Record<string, string>,
      source_prepared_mapping: {} as Record<string, string[]>,
      prepared_iteration_paths: {},
      ready_order: [],
      indegree: {},
      workflow_call_stack: [],
      workflow_call_history: [],
      workflow_call_parent: null,
      waiting_workflow_call: null,
      waiting_workflow_call_execution: null,
      waiting_workflow_call_child_session: null,
      max_workflow_call_depth: 4,
    },
  }
}

/** Returns the short form of an item, as in `item_summaries_by_ids`. */
export function summaryOf(item: StoredItem) {
  return {
    item_id: item.item_id,
    created_at: item.created_at,
    status: item.status,
    device: item.device,
    started_at: item.started_at,
    completed_at: item.completed_at,
    origin: item.origin,
    destination: item.destination,
    batch_id: item.batch_id,
    user_id: item.user_id,
    user_display_name: item.user_display_name,
    user_email: item.user_email,
    field_values: item.field_values,
    parent_item_id: item.parent_item_id,
  }
}

/** Counts items by status. */
export function countsOf(items: readonly StoredItem[]) {
  const count = (status: Status) => items.filter((item) => item.status === status).length
  return {
    pending: count('pending'),
    in_progress: count('in_progress'),
    waiting: count('waiting'),
    completed: count('completed'),
    failed: count('failed'),
    canceled: count('canceled'),
    total: items.length,
  }
}

/** Removes nulls at any depth. InvokeAI sends a single item this way. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== null)
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutNulls(each)]))
}
