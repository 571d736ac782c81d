import { deleteAllExceptCurrent } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const deleteAllExceptCurrentRoute = defineRoute(
  deleteAllExceptCurrent,
  async ({ queue }, { params }) => ({
    deleted: await queue.delete(params.queue_id, { those: 'waiting' }),
  }),
)
