import { pauseProcessor } from '#contract/queue-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const pauseProcessorRoute = defineRoute(pauseProcessor, ({ queue }) => queue.pause())
