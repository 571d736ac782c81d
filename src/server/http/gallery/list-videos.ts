import { listVideos } from '#contract/gallery-operations.ts'
import { DEFAULT_PAGE_LIMIT } from '#contract/limits.ts'
import { defineRoute } from '#server/http/route.ts'

export const listVideosRoute = defineRoute(
  listVideos,
  async (_parts, { query: { limit = DEFAULT_PAGE_LIMIT, offset = 0 } }) => ({
    limit,
    offset,
    total: 0,
    items: [],
  }),
)
