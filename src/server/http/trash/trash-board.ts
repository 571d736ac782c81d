import { trashBoard } from '#contract/trash-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const trashBoardRoute = defineRoute(trashBoard, ({ trash }, { body }) =>
  trash.trashBoard(body.board_id, {
    images: body.include_images ? 'trash' : 'keep',
    maxImages: body.max_images,
  }),
)
