import { getNextQueueItem } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getNextQueueItemRoute = defineRoute(
  getNextQueueItem,
  async ({ queue }, { params }) => {
    const [item] = await queue.items(params.queue_id, { only: 'next' })
    return item ?? null
  },
)
