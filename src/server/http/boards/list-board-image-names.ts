import { listBoardImageNames } from '#contract/board-operations.ts'
import { viewOf } from '#server/http/images/view-of.ts'
import { defineRoute } from '#server/http/route.ts'
import { sendNames } from '#server/http/send-in-pieces.ts'

export const listBoardImageNamesRoute = defineRoute(
  listBoardImageNames,
  async ({ boards }, { params, query, reply }) => {
    const { offset = 0, limit = -1 } = query
    const isWhole = offset === 0 && limit === -1
    const window = isWhole ? undefined : { offset, limit }
    const names = await boards.imageNames(params.board_id, viewOf(query), window)
    return sendNames(reply, names)
  },
)
