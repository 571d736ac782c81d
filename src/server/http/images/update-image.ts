import { updateImage } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const updateImageRoute = defineRoute(updateImage, ({ images }, { params, body }) =>
  images.update(params.image_name, body),
)
