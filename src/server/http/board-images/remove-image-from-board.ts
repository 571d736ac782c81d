import { removeImageFromBoard } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const removeImageFromBoardRoute = defineRoute(removeImageFromBoard, ({ images }, { body }) =>
  images.removeOneFromBoard(body.image_name),
)
