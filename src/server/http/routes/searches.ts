import {
  createSearch,
  deleteSearch,
  getSearch,
  listSearches,
  updateSearch,
} from '#contract/searches.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const searchRoutes: readonly Route[] = [
  defineRoute(listSearches, ({ searches }) => searches.list()),
  defineRoute(createSearch, ({ searches }, { body }) => searches.create(body)),
  defineRoute(getSearch, ({ searches }, { params }) => searches.get(params.search_id)),
  defineRoute(updateSearch, ({ searches }, { params, body }) =>
    searches.update(params.search_id, body),
  ),
  defineRoute(deleteSearch, ({ searches }, { params }) => searches.delete(params.search_id)),
]
