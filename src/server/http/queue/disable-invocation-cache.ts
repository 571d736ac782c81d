import { disableInvocationCache } from '#contract/queue-cache-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const disableInvocationCacheRoute = defineRoute(
  disableInvocationCache,
  async ({ invocationCache }) => {
    invocationCache.setEnabled(false)
    return null
  },
)
