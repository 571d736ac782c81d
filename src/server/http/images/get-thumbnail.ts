import { getThumbnail } from '#contract/image-operations.ts'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import { sendBytes } from '#server/http/bytes/send-bytes.ts'
import { defineRoute } from '#server/http/route.ts'

export const getThumbnailRoute = defineRoute(
  getThumbnail,
  async ({ thumbnails }, { params, query, request, reply }) => {
    const sizePx = query.size ?? THUMBNAIL_SIZES[0]
    return sendBytes(request, reply, {
      path: await thumbnails.path(params.image_name, sizePx),
      mediaType: 'image/webp',
      // A name never stands for other bytes, so it can stand for the content's hash without a query.
      etag: `${params.image_name}-${sizePx}`,
    })
  },
)
