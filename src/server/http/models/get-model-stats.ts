import { getModelStats } from '#contract/model-cache-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getModelStatsRoute = defineRoute(getModelStats, async ({ models }) => models.stats())
