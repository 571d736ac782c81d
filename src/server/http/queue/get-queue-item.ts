import { getQueueItem } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { withoutNulls } from './without-nulls.ts'

export const getQueueItemRoute = defineRoute(getQueueItem, async ({ queue }, { params }) =>
  withoutNulls(await queue.item(params.queue_id, params.item_id)),
)
