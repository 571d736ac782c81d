import { copyImages } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const copyImagesRoute = defineRoute(copyImages, ({ copies }, { body }) =>
  copies.copy(body.image_names, body.board_id),
)
