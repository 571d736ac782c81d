import Type, { type Static } from 'typebox'
import { Nullable, Timestamp } from '#contract/schema.ts'
import { GraphSession, ImageField } from './graph.ts'

/** Id of the default queue, the only one that clients use. */
export const DEFAULT_QUEUE_ID = 'default'

/** Maximum number of waiting items per queue. Further items of a batch are dropped. */
export const MAX_PENDING_ITEMS = 10_000

/** Maximum number of item ids per request. */
export const MAX_ITEM_IDS = 1000

/** Status of a queue item. The last three are final. */
export const QueueItemStatus = Type.Enum([
  'pending',
  'in_progress',
  'waiting',
  'completed',
  'failed',
  'canceled',
])
export type QueueItemStatus = Static<typeof QueueItemStatus>

/** A status that never changes. */
export type FinalStatus = Extract<QueueItemStatus, 'completed' | 'failed' | 'canceled'>

/** Returns true if a status never changes. */
export const isFinal = (status: QueueItemStatus): status is FinalStatus =>
  status === 'completed' || status === 'failed' || status === 'canceled'

const DatumValue = Type.Union([
  Type.String(),
  Type.Number(),
  ImageField,
  Type.Array(Type.Union([Type.String(), Type.Number(), ImageField])),
])

/** Values of one input, one per queue item. */
export const BatchDatum = Type.Object({
  node_path: Type.String({ description: 'ID of a node' }),
  field_name: Type.String(),
  items: Type.Optional(Type.Array(DatumValue, { default: [] })),
})
export type BatchDatum = Static<typeof BatchDatum>

const WorkflowPart = Type.Record(Type.String(), Type.Unknown())

/** Workflow of a graph editor. It is stored, embedded into images and returned, but never executed. */
export const Workflow = Type.Object(
  {
    name: Type.String(),
    author: Type.String(),
    description: Type.String(),
    version: Type.String(),
    contact: Type.String(),
    tags: Type.String(),
    notes: Type.String(),
    exposedFields: Type.Array(WorkflowPart),
    meta: WorkflowPart,
    nodes: Type.Array(WorkflowPart),
    edges: Type.Array(WorkflowPart),
  },
  { additionalProperties: true },
)

/** A graph to run, and the number of runs. */
export const Batch = Type.Object({
  batch_id: Type.Optional(Type.String({ description: 'Default: a new UUID' })),
  origin: Type.Optional(Nullable(Type.String())),
  destination: Type.Optional(Nullable(Type.String())),
  data: Type.Optional(
    Nullable(
      Type.Array(Type.Array(BatchDatum), {
        description: 'Groups of data. Items within a group are zipped, groups are multiplied',
      }),
    ),
  ),
  graph: Type.Record(Type.String(), Type.Unknown(), {
    description: '`{id, nodes: {<id>: {id, type, ...inputs}}, edges: [{source, destination}]}`',
  }),
  workflow: Type.Optional(Nullable(Workflow)),
  runs: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
})
export type Batch = Static<typeof Batch>

/** Result of enqueueing a batch. `item_ids` is sorted newest first. */
export const EnqueueBatchResult = Type.Object({
  queue_id: Type.String(),
  enqueued: Type.Integer({ description: 'Fewer than `requested` if the queue is full' }),
  requested: Type.Integer(),
  batch: Batch,
  priority: Type.Integer(),
  item_ids: Type.Array(Type.Integer()),
})
export type EnqueueBatchResult = Static<typeof EnqueueBatchResult>

/** Input value that a batch wrote into a node. */
export const NodeFieldValue = Type.Object({
  node_path: Type.String(),
  field_name: Type.String(),
  value: DatumValue,
})
export type NodeFieldValue = Static<typeof NodeFieldValue>

/** A queue item without its graph and other large fields. */
export const QueueItemSummary = Type.Object({
  item_id: Type.Integer({ description: 'Starts at 1' }),
  created_at: Timestamp,
  status: QueueItemStatus,
  device: Nullable(Type.String({ examples: ['cpu'] })),
  started_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  origin: Nullable(Type.String()),
  destination: Nullable(Type.String()),
  batch_id: Type.String(),
  user_id: Type.String(),
  user_display_name: Nullable(Type.String()),
  user_email: Nullable(Type.String()),
  field_values: Nullable(Type.Array(NodeFieldValue)),
  parent_item_id: Nullable(Type.Integer()),
})
export type QueueItemSummary = Static<typeof QueueItemSummary>

/** A queue item: one run of a graph. */
export const QueueItem = Type.Object({
  ...QueueItemSummary.properties,
  queue_id: Type.String(),
  session_id: Type.String(),
  status_sequence: Nullable(Type.Integer({ description: 'Increases with each change of status' })),
  priority: Type.Integer({ description: 'The highest runs first' }),
  error_type: Nullable(Type.String()),
  error_message: Nullable(Type.String()),
  error_traceback: Nullable(Type.String()),
  updated_at: Timestamp,
  retried_from_item_id: Nullable(Type.Integer()),
  workflow_call_id: Nullable(Type.String()),
  parent_session_id: Nullable(Type.String()),
  root_item_id: Nullable(Type.Integer()),
  workflow_call_depth: Nullable(Type.Integer()),
  session: GraphSession,
  workflow: Nullable(Type.Record(Type.String(), Type.Unknown())),
})
export type QueueItem = Omit<Static<typeof QueueItem>, 'session'> & { session: GraphSession }

/** A queue item without null fields at any depth. InvokeAI omits nulls in single items. */
export const QueueItemWithoutNulls = Type.Partial(
  Type.Object({ ...QueueItem.properties, session: Type.Partial(GraphSession) }),
)

const counts = {
  pending: Type.Integer(),
  in_progress: Type.Integer(),
  waiting: Type.Integer(),
  completed: Type.Integer(),
  failed: Type.Integer(),
  canceled: Type.Integer(),
  total: Type.Integer(),
}

/** Number of items by status. */
export const QueueCounts = Type.Object(counts)
export type QueueCounts = Static<typeof QueueCounts>

/** Number of items of a queue by status, and the running item. */
export const SessionQueueStatus = Type.Object({
  queue_id: Type.String(),
  item_id: Nullable(Type.Integer()),
  batch_id: Nullable(Type.String()),
  session_id: Nullable(Type.String()),
  ...counts,
  user_pending: Nullable(Type.Integer()),
  user_in_progress: Nullable(Type.Integer()),
})
export type SessionQueueStatus = Static<typeof SessionQueueStatus>

/** State of the queue processor. `is_started` is false while it is paused. */
export const ProcessorStatus = Type.Object({
  is_started: Type.Boolean(),
  is_processing: Type.Boolean(),
})
export type ProcessorStatus = Static<typeof ProcessorStatus>

/** State of a queue and of its processor. */
export const QueueStatus = Type.Object({ queue: SessionQueueStatus, processor: ProcessorStatus })
export type QueueStatus = Static<typeof QueueStatus>

/** Number of items of a batch by status. An unknown batch has none. */
export const BatchStatus = Type.Object({
  queue_id: Type.String(),
  batch_id: Type.String(),
  origin: Nullable(Type.String()),
  destination: Nullable(Type.String()),
  ...counts,
})
export type BatchStatus = Static<typeof BatchStatus>

/** Number of items of a destination by status. */
export const DestinationCounts = Type.Object({
  queue_id: Type.String(),
  destination: Type.String(),
  ...counts,
})
export type DestinationCounts = Static<typeof DestinationCounts>
