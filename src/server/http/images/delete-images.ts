import { deleteImages } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const deleteImagesRoute = defineRoute(deleteImages, ({ images }, { body }) =>
  images.delete(body.image_names),
)
