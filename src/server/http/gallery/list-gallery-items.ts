import { listGalleryItems } from '#contract/gallery-operations.ts'
import { DEFAULT_PAGE_LIMIT } from '#contract/limits.ts'
import { defineRoute } from '#server/http/route.ts'
import { galleryViewOf } from './gallery-view-of.ts'

export const listGalleryItemsRoute = defineRoute(
  listGalleryItems,
  async ({ gallery }, { query }) => {
    const { offset = 0, limit = DEFAULT_PAGE_LIMIT, created_date } = query
    const page = await gallery.items(galleryViewOf(query), { offset, limit }, created_date)
    return { limit, offset, total: page.total, items: page.items }
  },
)
