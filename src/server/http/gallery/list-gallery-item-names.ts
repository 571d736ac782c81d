import { listGalleryItemNames } from '#contract/gallery-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { isLong, sendInPieces } from '#server/http/send-in-pieces.ts'
import { galleryViewOf } from './gallery-view-of.ts'

export const listGalleryItemNamesRoute = defineRoute(
  listGalleryItemNames,
  async ({ gallery }, { query, reply }) => {
    const result = await gallery.itemNames(galleryViewOf(query), query.created_date)
    const { item_names, ...counts } = result
    if (!isLong(item_names)) return result
    const after = `,${JSON.stringify(counts).slice(1)}`
    return sendInPieces(reply, item_names, { before: '{"item_names":', after })
  },
)
