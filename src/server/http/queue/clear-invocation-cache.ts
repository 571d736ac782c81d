import { clearInvocationCache } from '#contract/queue-cache-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const clearInvocationCacheRoute = defineRoute(
  clearInvocationCache,
  async ({ invocationCache }) => {
    invocationCache.clear()
    return null
  },
)
