import {
  countSearches,
  createSearch,
  deleteSearch,
  getSearch,
  listSearches,
  updateSearch,
} from '#contract/search/saved-searches.ts'
import { defineRoute, type Route } from '#server/http/route.ts'
import { viewOf } from './view-of.ts'

export const searchRoutes: readonly Route[] = [
  defineRoute(listSearches, ({ searches }) => searches.list()),
  defineRoute(createSearch, ({ searches }, { body }) => searches.create(body)),
  defineRoute(countSearches, async ({ images }, { body }) => {
    const counts: number[] = []
    // One after the other, so that a long list takes one reader only.
    for (const { query, filter } of body.searches) {
      const view = viewOf({ kind: 'all', ...filter, query, is_intermediate: false })
      counts.push((await images.page(view, { offset: 0, limit: 0 })).total)
    }
    return { counts }
  }),
  defineRoute(getSearch, ({ searches }, { params }) => searches.get(params.search_id)),
  defineRoute(updateSearch, ({ searches }, { params, body }) =>
    searches.update(params.search_id, body),
  ),
  defineRoute(deleteSearch, ({ searches }, { params }) => searches.delete(params.search_id)),
]
