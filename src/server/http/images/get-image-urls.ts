import { getImageUrls } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getImageUrlsRoute = defineRoute(getImageUrls, async ({ images }, { params }) =>
  images.urls(params.image_name),
)
