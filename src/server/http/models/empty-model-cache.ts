import { emptyModelCache } from '#contract/model-cache-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const emptyModelCacheRoute = defineRoute(emptyModelCache, async ({ models }) => {
  await models.emptyCache()
  return null
})
