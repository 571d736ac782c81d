import Type, { type Static } from 'typebox'
import { defineOperation } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'
import {
  Batch,
  BatchStatus,
  DestinationCounts,
  EnqueueBatchResult,
  MAX_ITEM_IDS,
  ProcessorStatus,
  QueueItem,
  QueueItemSummary,
  QueueItemWithoutNulls,
  QueueStatus,
} from './queue.ts'

const queueParams = Type.Object({
  queue_id: Type.String({
    description: 'A queue is created by its first use',
    examples: ['default'],
  }),
})
const itemParams = Type.Object({ queue_id: Type.String(), item_id: Type.Integer() })
const itemIds = Type.Object({
  item_ids: Type.Array(Type.Integer(), {
    maxItems: MAX_ITEM_IDS,
    description: 'Unknown IDs are omitted from the response',
  }),
})

/** Number of canceled items. */
export const CanceledItems = Type.Object({ canceled: Type.Integer() })
export type CanceledItems = Static<typeof CanceledItems>

/** Number of deleted items. */
export const DeletedItems = Type.Object({ deleted: Type.Integer() })
export type DeletedItems = Static<typeof DeletedItems>

/** Result of a retry: the ids of the old items. */
export const RetriedItems = Type.Object({
  queue_id: Type.String(),
  retried_item_ids: Type.Array(Type.Integer()),
})
export type RetriedItems = Static<typeof RetriedItems>

/** Item ids of a queue. */
export const QueueItemIds = Type.Object({
  item_ids: Type.Array(Type.Integer()),
  total_count: Type.Integer(),
})
export type QueueItemIds = Static<typeof QueueItemIds>

export const enqueueBatch = defineOperation({
  operationId: 'enqueue_batch',
  method: 'POST',
  path: '/api/v1/queue/{queue_id}/enqueue_batch',
  summary: 'Enqueues a batch',
  tag: 'queue',
  params: queueParams,
  body: Type.Object({
    batch: Batch,
    prepend: Type.Optional(
      Type.Boolean({ default: false, description: 'Put the batch before all pending items' }),
    ),
  }),
  answers: { 200: EnqueueBatchResult },
  refusals: [],
  limit: 'batch',
})

export const getQueueStatus = defineOperation({
  operationId: 'get_queue_status',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/status',
  summary: 'Counts the items of the queue by status',
  tag: 'queue',
  params: queueParams,
  answers: { 200: QueueStatus },
  refusals: [],
})

export const getQueueItem = defineOperation({
  operationId: 'get_queue_item',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/i/{item_id}',
  summary: 'Returns an item. Null fields are omitted',
  tag: 'queue',
  params: itemParams,
  answers: { 200: QueueItemWithoutNulls },
  refusals: ['queue_item_not_found'],
  limit: 'poll',
})

export const getQueueSession = defineOperation({
  operationId: 'get_queue_session',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/session/{session_id}',
  summary: 'Returns the item of a session. Null fields are omitted',
  tag: 'queue',
  params: Type.Object({ queue_id: Type.String(), session_id: Type.String() }),
  answers: { 200: QueueItemWithoutNulls },
  refusals: ['queue_item_not_found'],
  limit: 'poll',
  extension: true,
})

export const getCurrentQueueItem = defineOperation({
  operationId: 'get_current_queue_item',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/current',
  summary: 'Returns the running item, or null',
  tag: 'queue',
  params: queueParams,
  answers: { 200: Nullable(QueueItem) },
  refusals: [],
})

export const getNextQueueItem = defineOperation({
  operationId: 'get_next_queue_item',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/next',
  summary: 'Returns the item that runs next, or null',
  tag: 'queue',
  params: queueParams,
  answers: { 200: Nullable(QueueItem) },
  refusals: [],
})

export const listQueueItems = defineOperation({
  operationId: 'list_all_queue_items',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/list_all',
  summary: 'Lists all items in the order of execution',
  tag: 'queue',
  params: queueParams,
  query: Type.Object({ destination: Type.Optional(Type.String()) }),
  answers: { 200: Type.Array(QueueItem) },
  refusals: [],
})

export const listQueueItemIds = defineOperation({
  operationId: 'get_queue_item_ids',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/item_ids',
  summary: 'Lists the IDs of all items by age',
  tag: 'queue',
  params: queueParams,
  query: Type.Object({
    order_dir: Type.Optional(Type.Enum(['ASC', 'DESC'], { default: 'DESC' })),
  }),
  answers: { 200: QueueItemIds },
  refusals: [],
})

export const listQueueItemsByIds = defineOperation({
  operationId: 'get_queue_items_by_item_ids',
  method: 'POST',
  isRead: true,
  path: '/api/v1/queue/{queue_id}/items_by_ids',
  summary: 'Returns the items with these IDs, in this order',
  tag: 'queue',
  params: queueParams,
  body: itemIds,
  answers: { 200: Type.Array(QueueItem) },
  refusals: [],
})

export const listQueueItemSummariesByIds = defineOperation({
  operationId: 'get_queue_item_summaries_by_ids',
  method: 'POST',
  isRead: true,
  path: '/api/v1/queue/{queue_id}/item_summaries_by_ids',
  summary: 'Returns short records of the items with these IDs',
  tag: 'queue',
  params: queueParams,
  body: itemIds,
  answers: { 200: Type.Array(QueueItemSummary) },
  refusals: [],
})

export const getBatchStatus = defineOperation({
  operationId: 'get_batch_status',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/b/{batch_id}/status',
  summary: 'Counts the items of a batch by status',
  tag: 'queue',
  params: Type.Object({ queue_id: Type.String(), batch_id: Type.String() }),
  answers: { 200: BatchStatus },
  refusals: [],
})

export const countByDestination = defineOperation({
  operationId: 'counts_by_destination',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/counts_by_destination',
  summary: 'Counts the items of a destination by status',
  tag: 'queue',
  params: queueParams,
  query: Type.Object({ destination: Type.String() }),
  answers: { 200: DestinationCounts },
  refusals: [],
})

export const cancelQueueItem = defineOperation({
  operationId: 'cancel_queue_item',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/i/{item_id}/cancel',
  summary: 'Cancels an item. A finished item does not change',
  tag: 'queue',
  params: itemParams,
  answers: { 200: QueueItem },
  refusals: ['queue_item_not_found'],
})

export const deleteQueueItem = defineOperation({
  operationId: 'delete_queue_item',
  method: 'DELETE',
  path: '/api/v1/queue/{queue_id}/i/{item_id}',
  summary: 'Deletes an item. An unfinished item is canceled first',
  tag: 'queue',
  params: itemParams,
  answers: { 200: Type.Null() },
  refusals: ['queue_item_not_found'],
})

export const cancelByBatchIds = defineOperation({
  operationId: 'cancel_by_batch_ids',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/cancel_by_batch_ids',
  summary: 'Cancels the unfinished items of the given batches',
  tag: 'queue',
  params: queueParams,
  body: Type.Object({ batch_ids: Type.Array(Type.String()) }),
  answers: { 200: CanceledItems },
  refusals: [],
})

export const cancelByDestination = defineOperation({
  operationId: 'cancel_by_destination',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/cancel_by_destination',
  summary: 'Cancels the unfinished items of a destination',
  tag: 'queue',
  params: queueParams,
  query: Type.Object({ destination: Type.String() }),
  answers: { 200: CanceledItems },
  refusals: [],
})

export const cancelAllExceptCurrent = defineOperation({
  operationId: 'cancel_all_except_current',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/cancel_all_except_current',
  summary: 'Cancels all pending items',
  tag: 'queue',
  params: queueParams,
  answers: { 200: CanceledItems },
  refusals: [],
})

export const deleteAllExceptCurrent = defineOperation({
  operationId: 'delete_all_except_current',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/delete_all_except_current',
  summary: 'Deletes all pending items',
  tag: 'queue',
  params: queueParams,
  answers: { 200: DeletedItems },
  refusals: [],
})

export const deleteByDestination = defineOperation({
  operationId: 'delete_by_destination',
  method: 'DELETE',
  path: '/api/v1/queue/{queue_id}/d/{destination}',
  summary: 'Deletes all items of a destination. Unfinished items are canceled first',
  tag: 'queue',
  params: Type.Object({ queue_id: Type.String(), destination: Type.String() }),
  answers: { 200: DeletedItems },
  refusals: [],
})

export const retryQueueItems = defineOperation({
  operationId: 'retry_items_by_id',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/retry_items_by_id',
  summary: 'Enqueues failed and canceled items again',
  tag: 'queue',
  params: queueParams,
  body: Type.Array(Type.Integer()),
  answers: { 200: RetriedItems },
  refusals: [],
})

export const clearQueue = defineOperation({
  operationId: 'clear',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/clear',
  summary: 'Cancels the running item and deletes all items',
  tag: 'queue',
  params: queueParams,
  answers: { 200: DeletedItems },
  refusals: [],
})

export const pruneQueue = defineOperation({
  operationId: 'prune',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/prune',
  summary: 'Deletes all finished items',
  tag: 'queue',
  params: queueParams,
  answers: { 200: DeletedItems },
  refusals: [],
})

export const pauseProcessor = defineOperation({
  operationId: 'pause',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/processor/pause',
  summary: 'Pauses the queue. The running item continues',
  tag: 'queue',
  params: queueParams,
  answers: { 200: ProcessorStatus },
  refusals: [],
})

export const resumeProcessor = defineOperation({
  operationId: 'resume',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/processor/resume',
  summary: 'Resumes the queue',
  tag: 'queue',
  params: queueParams,
  answers: { 200: ProcessorStatus },
  refusals: [],
})
