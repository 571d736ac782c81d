import type { listImageNames } from '#contract/image-operations.ts'
import type { QueryOf } from '#contract/operation.ts'
import type { View } from '#server/core/images/image-ports.ts'

type ViewQuery = Partial<QueryOf<typeof listImageNames>>

/** The view that a query asks for. An empty search or board is none (wire 2.4). */
export const viewOf = (query: ViewQuery): View => ({
  orderBy: query.order_by ?? 'created_at',
  orderDir: query.order_dir ?? 'DESC',
  starredFirst: query.starred_first ?? false,
  ...(query.board_id !== undefined && { boardId: query.board_id }),
  ...(query.categories && { categories: query.categories }),
  ...(query.image_origin && { imageOrigin: query.image_origin }),
  ...(query.is_intermediate !== undefined && { isIntermediate: query.is_intermediate }),
  ...(query.search_term && { searchTerm: query.search_term }),
  ...(saysSomething(query.query) && { query: query.query }),
})

/** A quote that a person has just opened says nothing yet. */
const saysSomething = (query: string | undefined): query is string =>
  query !== undefined && query.replaceAll('"', '').trim() !== ''
