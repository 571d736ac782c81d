import { enqueueBatch } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { ValidationFailure } from '#server/http/validation/validation-failure.ts'

export const enqueueBatchRoute = defineRoute(
  enqueueBatch,
  async ({ queue }, { params, body: { batch, prepend = false } }) => {
    const result = await queue.enqueue({ queueId: params.queue_id, batch, prepend })
    if ('faults' in result) throw new ValidationFailure(result.faults)
    return result
  },
)
