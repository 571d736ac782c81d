import { getImage } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getImageRoute = defineRoute(getImage, ({ images }, { params }) =>
  images.get(params.image_name),
)
