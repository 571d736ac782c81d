import { emptyTrash } from '#contract/trash-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const emptyTrashRoute = defineRoute(emptyTrash, ({ trash }) => trash.empty())
