import { deleteImage } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const deleteImageRoute = defineRoute(deleteImage, ({ images }, { params }) =>
  images.deleteOne(params.image_name),
)
