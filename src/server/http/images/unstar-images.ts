import { unstarImages } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const unstarImagesRoute = defineRoute(unstarImages, ({ images }, { body }) =>
  images.unstar(body.image_names),
)
