import { deleteQueueItem } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const deleteQueueItemRoute = defineRoute(deleteQueueItem, async ({ queue }, { params }) => {
  await queue.deleteItem(params.queue_id, params.item_id)
  return null
})
