import { addImagesToBoard } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const addImagesToBoardRoute = defineRoute(addImagesToBoard, ({ images }, { body }) =>
  images.addToBoard(body.image_names, body.board_id),
)
