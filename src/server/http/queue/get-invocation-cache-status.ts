import { getInvocationCacheStatus } from '#contract/queue-cache-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getInvocationCacheStatusRoute = defineRoute(
  getInvocationCacheStatus,
  async ({ invocationCache }) => invocationCache.status(),
)
