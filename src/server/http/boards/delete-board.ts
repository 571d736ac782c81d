import { deleteBoard } from '#contract/board-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const deleteBoardRoute = defineRoute(deleteBoard, ({ boards }, { params, query }) =>
  boards.delete(params.board_id, { images: query.include_images ? 'delete' : 'keep' }),
)
