import { retryQueueItems } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const retryQueueItemsRoute = defineRoute(
  retryQueueItems,
  async ({ queue }, { params, body }) => ({
    queue_id: params.queue_id,
    retried_item_ids: await queue.retry(params.queue_id, body),
  }),
)
