import { removeImagesFromBoard } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const removeImagesFromBoardRoute = defineRoute(
  removeImagesFromBoard,
  ({ images }, { body }) => images.removeFromBoard(body.image_names),
)
