import { filterOfQuery } from '#contract/image-filter.ts'
import type { listImageNames } from '#contract/image-operations.ts'
import type { QueryOf } from '#contract/operation.ts'
import type { View } from '#server/core/images/image-ports.ts'

type ViewQuery = Partial<QueryOf<typeof listImageNames>>

/** Returns the view that a query asks for. InvokeAI treats an empty search or board as absent. */
export const viewOf = (query: ViewQuery): View => ({
  orderBy: query.order_by ?? 'created_at',
  orderDir: query.order_dir ?? 'DESC',
  starredFirst: query.starred_first ?? false,
  ...(query.board_id !== undefined && { boardId: query.board_id }),
  ...filterOfQuery(query),
  ...(query.search_term && { searchTerm: query.search_term }),
  ...(hasSearchText(query.query) && { query: query.query }),
})

/** A search that consists of an opening quote only is still being typed. */
const hasSearchText = (query: string | undefined): query is string =>
  query !== undefined && query.replaceAll('"', '').trim() !== ''
