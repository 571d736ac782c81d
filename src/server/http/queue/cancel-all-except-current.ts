import { cancelAllExceptCurrent } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const cancelAllExceptCurrentRoute = defineRoute(
  cancelAllExceptCurrent,
  async ({ queue }, { params }) => ({
    canceled: await queue.cancel(params.queue_id, { those: 'waiting' }),
  }),
)
