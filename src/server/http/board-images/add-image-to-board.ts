import { addImageToBoard } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const addImageToBoardRoute = defineRoute(addImageToBoard, ({ images }, { body }) =>
  images.addOneToBoard(body.image_name, body.board_id),
)
