import { deleteUncategorizedImages } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const deleteUncategorizedImagesRoute = defineRoute(deleteUncategorizedImages, ({ images }) =>
  images.deleteUncategorized(),
)
