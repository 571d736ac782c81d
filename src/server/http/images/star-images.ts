import { starImages } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const starImagesRoute = defineRoute(starImages, ({ images }, { body }) =>
  images.star(body.image_names),
)
