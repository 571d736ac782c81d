import { getQueueSession } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { withoutNulls } from './without-nulls.ts'

export const getQueueSessionRoute = defineRoute(getQueueSession, async ({ queue }, { params }) =>
  withoutNulls(await queue.ofSession(params.queue_id, params.session_id)),
)
