import { listQueueItemSummariesByIds } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const listQueueItemSummariesByIdsRoute = defineRoute(
  listQueueItemSummariesByIds,
  ({ queue }, { params, body }) => queue.summaries(params.queue_id, body.item_ids),
)
