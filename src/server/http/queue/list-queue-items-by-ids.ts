import { listQueueItemsByIds } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const listQueueItemsByIdsRoute = defineRoute(
  listQueueItemsByIds,
  ({ queue }, { params, body }) => queue.items(params.queue_id, { itemIds: body.item_ids }),
)
