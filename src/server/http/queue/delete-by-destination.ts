import { deleteByDestination } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const deleteByDestinationRoute = defineRoute(
  deleteByDestination,
  async ({ queue }, { params }) => ({
    deleted: await queue.delete(params.queue_id, { destination: params.destination }),
  }),
)
