import { listBoards } from '#contract/board-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { defineRoute } from '#server/http/route.ts'

export const listBoardsRoute = defineRoute(listBoards, async ({ boards }, { query }) => {
  const { all, offset, limit, order_by, direction, include_archived } = query
  const options = {
    orderBy: order_by ?? 'created_at',
    direction: direction ?? 'DESC',
    includeArchived: include_archived ?? false,
  }
  // InvokeAI refuses a list without parameters. The specification gives this path for all boards.
  if (all ?? (offset === undefined && limit === undefined))
    return (await boards.list(options)).items
  if (offset === undefined || limit === undefined) throw new Refusal('neither_all_nor_page')
  return { limit, offset, ...(await boards.list({ ...options, page: { offset, limit } })) }
})
