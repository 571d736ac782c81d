import { getFullImage } from '#contract/image-operations.ts'
import { contentDisposition } from '#server/http/bytes/content-disposition.ts'
import { sendBytes } from '#server/http/bytes/send-bytes.ts'
import { defineRoute } from '#server/http/route.ts'

export const getFullImageRoute = defineRoute(
  getFullImage,
  async ({ images, originals, pathOfImage }, { params, query, request, reply }) => {
    const image = await images.get(params.image_name)
    await originals.assertWhole(image)
    const { image_name, file_name, media_type, content_hash } = image
    return sendBytes(request, reply, {
      path: pathOfImage(image_name),
      mediaType: media_type ?? 'application/octet-stream',
      etag: content_hash ?? image_name,
      contentDisposition: query.download
        ? contentDisposition('attachment', file_name ?? image_name)
        : contentDisposition('inline', image_name),
    })
  },
  { hasHead: true },
)
