import Type from 'typebox'
import { operationsOf } from '#contract/operation.ts'
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

const define = operationsOf({
  tag: 'queue',
  params: Type.Object({
    queue_id: Type.String({
      description: 'A queue is created by its first use',
      examples: ['default'],
    }),
  }),
})
const defineForItem = operationsOf({
  tag: 'queue',
  params: Type.Object({ queue_id: Type.String(), item_id: Type.Integer() }),
  refusals: ['queue_item_not_found'],
})
const itemIds = Type.Object({
  item_ids: Type.Array(Type.Integer(), {
    maxItems: MAX_ITEM_IDS,
    description: 'Unknown IDs are omitted from the response',
  }),
})

const canceledItems = Type.Object({ canceled: Type.Integer() })
const deletedItems = Type.Object({ deleted: Type.Integer() })

export const enqueueBatch = define('POST', '/api/v1/queue/{queue_id}/enqueue_batch', {
  operationId: 'enqueue_batch',
  summary: 'Enqueues a batch',
  body: Type.Object({
    batch: Batch,
    prepend: Type.Optional(
      Type.Boolean({ default: false, description: 'Put the batch before all pending items' }),
    ),
  }),
  answers: { 200: EnqueueBatchResult },
  limit: 'batch',
})

export const getQueueStatus = define('GET', '/api/v1/queue/{queue_id}/status', {
  operationId: 'get_queue_status',
  summary: 'Counts the items of the queue by status',
  answers: { 200: QueueStatus },
})

export const getQueueItem = defineForItem('GET', '/api/v1/queue/{queue_id}/i/{item_id}', {
  operationId: 'get_queue_item',
  summary: 'Returns an item. Null fields are omitted',
  answers: { 200: QueueItemWithoutNulls },
  limit: 'poll',
})

export const getQueueSession = define('GET', '/api/v1/queue/{queue_id}/session/{session_id}', {
  operationId: 'get_queue_session',
  summary: 'Returns the item of a session. Null fields are omitted',
  params: Type.Object({ queue_id: Type.String(), session_id: Type.String() }),
  answers: { 200: QueueItemWithoutNulls },
  refusals: ['queue_item_not_found'],
  limit: 'poll',
  extension: true,
})

export const getCurrentQueueItem = define('GET', '/api/v1/queue/{queue_id}/current', {
  operationId: 'get_current_queue_item',
  summary: 'Returns the running item, or null',
  answers: { 200: Nullable(QueueItem) },
})

export const getNextQueueItem = define('GET', '/api/v1/queue/{queue_id}/next', {
  operationId: 'get_next_queue_item',
  summary: 'Returns the item that runs next, or null',
  answers: { 200: Nullable(QueueItem) },
})

export const listQueueItems = define('GET', '/api/v1/queue/{queue_id}/list_all', {
  operationId: 'list_all_queue_items',
  summary: 'Lists all items in the order of execution',
  query: Type.Object({ destination: Type.Optional(Type.String()) }),
  answers: { 200: Type.Array(QueueItem) },
})

export const listQueueItemIds = define('GET', '/api/v1/queue/{queue_id}/item_ids', {
  operationId: 'get_queue_item_ids',
  summary: 'Lists the IDs of all items by age',
  query: Type.Object({
    order_dir: Type.Optional(Type.Enum(['ASC', 'DESC'], { default: 'DESC' })),
  }),
  answers: {
    200: Type.Object({ item_ids: Type.Array(Type.Integer()), total_count: Type.Integer() }),
  },
})

export const listQueueItemsByIds = define('POST', '/api/v1/queue/{queue_id}/items_by_ids', {
  operationId: 'get_queue_items_by_item_ids',
  isRead: true,
  summary: 'Returns the items with these IDs, in this order',
  body: itemIds,
  answers: { 200: Type.Array(QueueItem) },
})

export const listQueueItemSummariesByIds = define(
  'POST',
  '/api/v1/queue/{queue_id}/item_summaries_by_ids',
  {
    operationId: 'get_queue_item_summaries_by_ids',
    isRead: true,
    summary: 'Returns short records of the items with these IDs',
    body: itemIds,
    answers: { 200: Type.Array(QueueItemSummary) },
  },
)

export const getBatchStatus = define('GET', '/api/v1/queue/{queue_id}/b/{batch_id}/status', {
  operationId: 'get_batch_status',
  summary: 'Counts the items of a batch by status',
  params: Type.Object({ queue_id: Type.String(), batch_id: Type.String() }),
  answers: { 200: BatchStatus },
})

export const countByDestination = define('GET', '/api/v1/queue/{queue_id}/counts_by_destination', {
  operationId: 'counts_by_destination',
  summary: 'Counts the items of a destination by status',
  query: Type.Object({ destination: Type.String() }),
  answers: { 200: DestinationCounts },
})

export const cancelQueueItem = defineForItem('PUT', '/api/v1/queue/{queue_id}/i/{item_id}/cancel', {
  operationId: 'cancel_queue_item',
  summary: 'Cancels an item. A finished item does not change',
  answers: { 200: QueueItem },
})

export const deleteQueueItem = defineForItem('DELETE', '/api/v1/queue/{queue_id}/i/{item_id}', {
  operationId: 'delete_queue_item',
  summary: 'Deletes an item. An unfinished item is canceled first',
  answers: { 200: Type.Null() },
})

export const cancelByBatchIds = define('PUT', '/api/v1/queue/{queue_id}/cancel_by_batch_ids', {
  operationId: 'cancel_by_batch_ids',
  summary: 'Cancels the unfinished items of the given batches',
  body: Type.Object({ batch_ids: Type.Array(Type.String()) }),
  answers: { 200: canceledItems },
})

export const cancelByDestination = define('PUT', '/api/v1/queue/{queue_id}/cancel_by_destination', {
  operationId: 'cancel_by_destination',
  summary: 'Cancels the unfinished items of a destination',
  query: Type.Object({ destination: Type.String() }),
  answers: { 200: canceledItems },
})

export const cancelAllExceptCurrent = define(
  'PUT',
  '/api/v1/queue/{queue_id}/cancel_all_except_current',
  {
    operationId: 'cancel_all_except_current',
    summary: 'Cancels all pending items',
    answers: { 200: canceledItems },
  },
)

export const deleteAllExceptCurrent = define(
  'PUT',
  '/api/v1/queue/{queue_id}/delete_all_except_current',
  {
    operationId: 'delete_all_except_current',
    summary: 'Deletes all pending items',
    answers: { 200: deletedItems },
  },
)

export const deleteByDestination = define('DELETE', '/api/v1/queue/{queue_id}/d/{destination}', {
  operationId: 'delete_by_destination',
  summary: 'Deletes all items of a destination. Unfinished items are canceled first',
  params: Type.Object({ queue_id: Type.String(), destination: Type.String() }),
  answers: { 200: deletedItems },
})

export const retryQueueItems = define('PUT', '/api/v1/queue/{queue_id}/retry_items_by_id', {
  operationId: 'retry_items_by_id',
  summary: 'Enqueues failed and canceled items again',
  body: Type.Array(Type.Integer()),
  answers: {
    200: Type.Object({
      queue_id: Type.String(),
      retried_item_ids: Type.Array(Type.Integer()),
    }),
  },
})

export const clearQueue = define('PUT', '/api/v1/queue/{queue_id}/clear', {
  operationId: 'clear',
  summary: 'Cancels the running item and deletes all items',
  answers: { 200: deletedItems },
})

export const pruneQueue = define('PUT', '/api/v1/queue/{queue_id}/prune', {
  operationId: 'prune',
  summary: 'Deletes all finished items',
  answers: { 200: deletedItems },
})

export const pauseProcessor = define('PUT', '/api/v1/queue/{queue_id}/processor/pause', {
  operationId: 'pause',
  summary: 'Pauses the queue. The running item continues',
  answers: { 200: ProcessorStatus },
})

export const resumeProcessor = define('PUT', '/api/v1/queue/{queue_id}/processor/resume', {
  operationId: 'resume',
  summary: 'Resumes the queue',
  answers: { 200: ProcessorStatus },
})
