import { cancelByBatchIds } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const cancelByBatchIdsRoute = defineRoute(
  cancelByBatchIds,
  async ({ queue }, { params, body }) => ({
    canceled: await queue.cancel(params.queue_id, { batchIds: body.batch_ids }),
  }),
)
