import { restoreFromTrash } from '#contract/trash-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const restoreFromTrashRoute = defineRoute(restoreFromTrash, ({ trash }, { body }) =>
  trash.restore({ imageNames: body.image_names ?? [], boardIds: body.board_ids ?? [] }),
)
