import { createBoard } from '#contract/board-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const createBoardRoute = defineRoute(createBoard, ({ boards }, { query }) =>
  boards.create(query),
)
