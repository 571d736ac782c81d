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
  queue_id: Type.String({ description: 'A queue comes into being by use', examples: ['default'] }),
})
const itemParams = Type.Object({ queue_id: Type.String(), item_id: Type.Integer() })
const itemIds = Type.Object({
  item_ids: Type.Array(Type.Integer(), {
    maxItems: MAX_ITEM_IDS,
    description: 'Unknown ones are left out of the answer',
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
  summary: 'Puts a batch into the queue',
  tag: 'queue',
  params: queueParams,
  body: Type.Object({
    batch: Batch,
    prepend: Type.Optional(
      Type.Boolean({ default: false, description: 'Before what waits already' }),
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
  summary: 'How many items stand where',
  tag: 'queue',
  params: queueParams,
  answers: { 200: QueueStatus },
  refusals: [],
})

export const getQueueItem = defineOperation({
  operationId: 'get_queue_item',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/i/{item_id}',
  summary: 'One item. Fields that are null are left out',
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
  summary: 'The item that runs a session (wire 11, row 17). Fields that are null are left out',
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
  summary: 'The item that runs, or null',
  tag: 'queue',
  params: queueParams,
  answers: { 200: Nullable(QueueItem) },
  refusals: [],
})

export const getNextQueueItem = defineOperation({
  operationId: 'get_next_queue_item',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/next',
  summary: 'The item that runs next, or null',
  tag: 'queue',
  params: queueParams,
  answers: { 200: Nullable(QueueItem) },
  refusals: [],
})

export const listQueueItems = defineOperation({
  operationId: 'list_all_queue_items',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/list_all',
  summary: 'Every item, in the order in which they run',
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
  summary: 'The ids of every item, by age',
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
  path: '/api/v1/queue/{queue_id}/items_by_ids',
  summary: 'The items with these ids, in that order',
  tag: 'queue',
  params: queueParams,
  body: itemIds,
  answers: { 200: Type.Array(QueueItem) },
  refusals: [],
})

export const listQueueItemSummariesByIds = defineOperation({
  operationId: 'get_queue_item_summaries_by_ids',
  method: 'POST',
  path: '/api/v1/queue/{queue_id}/item_summaries_by_ids',
  summary: 'The same in short',
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
  summary: 'How many items of a batch stand where',
  tag: 'queue',
  params: Type.Object({ queue_id: Type.String(), batch_id: Type.String() }),
  answers: { 200: BatchStatus },
  refusals: [],
})

export const countByDestination = defineOperation({
  operationId: 'counts_by_destination',
  method: 'GET',
  path: '/api/v1/queue/{queue_id}/counts_by_destination',
  summary: 'How many items with a destination stand where',
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
  summary: 'Cancels an item. One that has ended stays as it is',
  tag: 'queue',
  params: itemParams,
  answers: { 200: QueueItem },
  refusals: ['queue_item_not_found'],
})

export const deleteQueueItem = defineOperation({
  operationId: 'delete_queue_item',
  method: 'DELETE',
  path: '/api/v1/queue/{queue_id}/i/{item_id}',
  summary: 'Deletes an item, and cancels it first if it has not ended',
  tag: 'queue',
  params: itemParams,
  answers: { 200: Type.Null() },
  refusals: ['queue_item_not_found'],
})

export const cancelByBatchIds = defineOperation({
  operationId: 'cancel_by_batch_ids',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/cancel_by_batch_ids',
  summary: 'Cancels what has not ended of some batches',
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
  summary: 'Cancels what has not ended of a destination',
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
  summary: 'Cancels what waits',
  tag: 'queue',
  params: queueParams,
  answers: { 200: CanceledItems },
  refusals: [],
})

export const deleteAllExceptCurrent = defineOperation({
  operationId: 'delete_all_except_current',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/delete_all_except_current',
  summary: 'Deletes what waits',
  tag: 'queue',
  params: queueParams,
  answers: { 200: DeletedItems },
  refusals: [],
})

export const deleteByDestination = defineOperation({
  operationId: 'delete_by_destination',
  method: 'DELETE',
  path: '/api/v1/queue/{queue_id}/d/{destination}',
  summary: 'Deletes every item of a destination, and cancels first what has not ended',
  tag: 'queue',
  params: Type.Object({ queue_id: Type.String(), destination: Type.String() }),
  answers: { 200: DeletedItems },
  refusals: [],
})

export const retryQueueItems = defineOperation({
  operationId: 'retry_items_by_id',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/retry_items_by_id',
  summary: 'Puts items that failed or were canceled into the queue once more',
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
  summary: 'Cancels what runs and deletes every item',
  tag: 'queue',
  params: queueParams,
  answers: { 200: DeletedItems },
  refusals: [],
})

export const pruneQueue = defineOperation({
  operationId: 'prune',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/prune',
  summary: 'Deletes every item that has ended',
  tag: 'queue',
  params: queueParams,
  answers: { 200: DeletedItems },
  refusals: [],
})

export const pauseProcessor = defineOperation({
  operationId: 'pause',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/processor/pause',
  summary: 'Starts no further item. What runs goes on',
  tag: 'queue',
  params: queueParams,
  answers: { 200: ProcessorStatus },
  refusals: [],
})

export const resumeProcessor = defineOperation({
  operationId: 'resume',
  method: 'PUT',
  path: '/api/v1/queue/{queue_id}/processor/resume',
  summary: 'Goes on with what waits',
  tag: 'queue',
  params: queueParams,
  answers: { 200: ProcessorStatus },
  refusals: [],
})
