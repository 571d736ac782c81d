import { clearQueue } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const clearQueueRoute = defineRoute(clearQueue, async ({ queue }, { params }) => ({
  deleted: await queue.clear(params.queue_id),
}))
