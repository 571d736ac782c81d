import { cancelByDestination } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const cancelByDestinationRoute = defineRoute(
  cancelByDestination,
  async ({ queue }, { params, query }) => ({
    canceled: await queue.cancel(params.queue_id, { destination: query.destination }),
  }),
)
