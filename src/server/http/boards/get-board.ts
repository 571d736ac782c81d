import { getBoard } from '#contract/board-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getBoardRoute = defineRoute(getBoard, ({ boards }, { params }) =>
  boards.get(params.board_id),
)
