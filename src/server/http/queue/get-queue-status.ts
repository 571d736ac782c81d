import { getQueueStatus } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getQueueStatusRoute = defineRoute(getQueueStatus, ({ queue }, { params }) =>
  queue.status(params.queue_id),
)
