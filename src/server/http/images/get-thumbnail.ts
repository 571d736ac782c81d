import { getThumbnail } from '#contract/image-operations.ts'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import { asksForWhole, sendBytes, sendWhole } from '#server/http/bytes/send-bytes.ts'
import { defineRoute } from '#server/http/route.ts'

export const getThumbnailRoute = defineRoute(
  getThumbnail,
  async ({ thumbnails }, { params, query, request, reply }) => {
    const sizePx = query.size ?? THUMBNAIL_SIZES[0]
    // A name never stands for other bytes, so it can stand for the content's hash without a query.
    const about = { mediaType: 'image/webp', etag: `${params.image_name}-${sizePx}` }
    if (asksForWhole(request)) {
      const bytes = await thumbnails.read(params.image_name, sizePx)
      if (bytes !== null) return sendWhole(reply, { ...about, bytes })
    }
    const path = await thumbnails.path(params.image_name, sizePx)
    return sendBytes(request, reply, { ...about, path })
  },
)
