import { resumeProcessor } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const resumeProcessorRoute = defineRoute(resumeProcessor, async ({ queue }) =>
  queue.resume(),
)
