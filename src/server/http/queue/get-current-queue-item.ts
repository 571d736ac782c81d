import { getCurrentQueueItem } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getCurrentQueueItemRoute = defineRoute(
  getCurrentQueueItem,
  async ({ queue }, { params }) => {
    const [item] = await queue.items(params.queue_id, { only: 'current' })
    return item ?? null
  },
)
