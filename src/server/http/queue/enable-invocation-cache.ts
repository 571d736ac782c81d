import { enableInvocationCache } from '#contract/queue-cache-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const enableInvocationCacheRoute = defineRoute(
  enableInvocationCache,
  async ({ invocationCache }) => {
    invocationCache.setEnabled(true)
    return null
  },
)
