import type { Route } from '#server/http/route.ts'
import { cancelAllExceptCurrentRoute } from './cancel-all-except-current.ts'
import { cancelByBatchIdsRoute } from './cancel-by-batch-ids.ts'
import { cancelByDestinationRoute } from './cancel-by-destination.ts'
import { cancelQueueItemRoute } from './cancel-queue-item.ts'
import { clearInvocationCacheRoute } from './clear-invocation-cache.ts'
import { clearQueueRoute } from './clear-queue.ts'
import { countByDestinationRoute } from './count-by-destination.ts'
import { deleteAllExceptCurrentRoute } from './delete-all-except-current.ts'
import { deleteByDestinationRoute } from './delete-by-destination.ts'
import { deleteQueueItemRoute } from './delete-queue-item.ts'
import { disableInvocationCacheRoute } from './disable-invocation-cache.ts'
import { enableInvocationCacheRoute } from './enable-invocation-cache.ts'
import { enqueueBatchRoute } from './enqueue-batch.ts'
import { getBatchStatusRoute } from './get-batch-status.ts'
import { getCurrentQueueItemRoute } from './get-current-queue-item.ts'
import { getInvocationCacheStatusRoute } from './get-invocation-cache-status.ts'
import { getNextQueueItemRoute } from './get-next-queue-item.ts'
import { getQueueItemRoute } from './get-queue-item.ts'
import { getQueueSessionRoute } from './get-queue-session.ts'
import { getQueueStatusRoute } from './get-queue-status.ts'
import { listQueueItemIdsRoute } from './list-queue-item-ids.ts'
import { listQueueItemSummariesByIdsRoute } from './list-queue-item-summaries-by-ids.ts'
import { listQueueItemsRoute } from './list-queue-items.ts'
import { listQueueItemsByIdsRoute } from './list-queue-items-by-ids.ts'
import { pauseProcessorRoute } from './pause-processor.ts'
import { pruneQueueRoute } from './prune-queue.ts'
import { resumeProcessorRoute } from './resume-processor.ts'
import { retryQueueItemsRoute } from './retry-queue-items.ts'

/** The queue, and the cache of what its nodes gave. */
export const queueRoutes: readonly Route[] = [
  cancelAllExceptCurrentRoute,
  cancelByBatchIdsRoute,
  cancelByDestinationRoute,
  cancelQueueItemRoute,
  clearInvocationCacheRoute,
  clearQueueRoute,
  countByDestinationRoute,
  deleteAllExceptCurrentRoute,
  deleteByDestinationRoute,
  deleteQueueItemRoute,
  disableInvocationCacheRoute,
  enableInvocationCacheRoute,
  enqueueBatchRoute,
  getBatchStatusRoute,
  getCurrentQueueItemRoute,
  getInvocationCacheStatusRoute,
  getNextQueueItemRoute,
  getQueueItemRoute,
  getQueueSessionRoute,
  getQueueStatusRoute,
  listQueueItemIdsRoute,
  listQueueItemSummariesByIdsRoute,
  listQueueItemsByIdsRoute,
  listQueueItemsRoute,
  pauseProcessorRoute,
  pruneQueueRoute,
  resumeProcessorRoute,
  retryQueueItemsRoute,
]
