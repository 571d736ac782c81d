import { listQueueItemIds } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const listQueueItemIdsRoute = defineRoute(
  listQueueItemIds,
  async ({ queue }, { params, query }) => {
    const item_ids = await queue.itemIds(params.queue_id, query.order_dir ?? 'DESC')
    return { item_ids, total_count: item_ids.length }
  },
)
