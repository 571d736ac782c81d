import { getBatchStatus } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getBatchStatusRoute = defineRoute(getBatchStatus, ({ queue }, { params }) =>
  queue.batchStatus(params.queue_id, params.batch_id),
)
