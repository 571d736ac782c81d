import { countByDestination } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const countByDestinationRoute = defineRoute(
  countByDestination,
  ({ queue }, { params, query }) => queue.destinationCounts(params.queue_id, query.destination),
)
