import { cancelQueueItem } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const cancelQueueItemRoute = defineRoute(cancelQueueItem, ({ queue }, { params }) =>
  queue.cancelItem(params.queue_id, params.item_id),
)
