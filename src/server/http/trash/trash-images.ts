import { trashImages } from '#contract/trash-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const trashImagesRoute = defineRoute(trashImages, ({ trash }, { body }) =>
  trash.trashImages(body.image_names),
)
