import { updateBoard } from '#contract/board-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const updateBoardRoute = defineRoute(updateBoard, ({ boards }, { params, body }) =>
  boards.update(params.board_id, body),
)
