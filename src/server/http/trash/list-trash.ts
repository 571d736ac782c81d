import { DEFAULT_LIST_LIMIT } from '#contract/limits.ts'
import { listTrash } from '#contract/trash-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const listTrashRoute = defineRoute(listTrash, ({ trash }, { query }) =>
  trash.page({ offset: query.offset ?? 0, limit: query.limit ?? DEFAULT_LIST_LIMIT }),
)
