import { pruneQueue } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const pruneQueueRoute = defineRoute(pruneQueue, async ({ queue }, { params }) => ({
  deleted: await queue.delete(params.queue_id, { those: 'ended' }),
}))
