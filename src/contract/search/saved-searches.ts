import Type, { type Static } from 'typebox'
import { filterQuery } from '#contract/image-filter.ts'
import {
  MAX_COUNTED_SEARCHES,
  MAX_POSITION_LENGTH,
  MAX_QUERY_LENGTH,
  MAX_SEARCH_NAME_LENGTH,
} from '#contract/limits.ts'
import { operationsOf } from '#contract/operation.ts'
import { Nullable, Timestamp } from '#contract/schema.ts'

/** The icons of saved searches, by their names in Lucide. */
export const SearchIcon = Type.Enum([
  ...['search', 'star', 'heart', 'bookmark', 'flag', 'tag', 'pin', 'sparkles', 'wand', 'palette'],
  ...[
    'brush',
    'camera',
    'image',
    'film',
    'user',
    'users',
    'cat',
    'flower',
    'tree-pine',
    'mountain',
  ],
  ...['sun', 'moon', 'house', 'building', 'car', 'box', 'calendar', 'clock', 'zap', 'smile'],
])
export type SearchIcon = Static<typeof SearchIcon>

/** Filters of a saved search besides its query, with the names of the filters of a list. */
export const SearchFilter = Type.Object(
  {
    starred: filterQuery.starred,
    kind: filterQuery.kind,
    categories: filterQuery.categories,
    image_origin: filterQuery.image_origin,
    min_duration: filterQuery.min_duration,
    max_duration: filterQuery.max_duration,
  },
  { additionalProperties: false },
)
export type SearchFilter = Static<typeof SearchFilter>

/** A query with a name, which all clients of the server share. */
export const SavedSearch = Type.Object({
  search_id: Type.String(),
  name: Type.String(),
  icon: Nullable(SearchIcon),
  query: Type.String({ description: 'As in the `query` of a list of images' }),
  filter: Nullable(SearchFilter),
  position: Nullable(
    Type.String({ description: 'The place in the order by hand. null: after those that have one' }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type SavedSearch = Static<typeof SavedSearch>

const name = Type.String({ minLength: 1, maxLength: MAX_SEARCH_NAME_LENGTH })
const query = Type.String({ minLength: 1, maxLength: MAX_QUERY_LENGTH })
const icon = Type.Optional(Nullable(SearchIcon))
const filter = Type.Optional(Nullable(SearchFilter))
const position = Type.Optional(
  Nullable(
    Type.String({
      maxLength: MAX_POSITION_LENGTH,
      description: 'A key of `fractional-indexing`. null: none',
    }),
  ),
)

/** A search to save. */
export const NewSearch = Type.Object(
  {
    search_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Letters, digits, `-` and `_`, to put back a deleted search. Default: a new id',
      }),
    ),
    ...{ name, query, icon, filter, position },
  },
  { additionalProperties: false },
)
export type NewSearch = Static<typeof NewSearch>

/** Changes to a saved search. An absent key leaves the property unchanged. */
export const SearchChanges = Type.Object(
  { name: Type.Optional(name), query: Type.Optional(query), icon, filter, position },
  { additionalProperties: false },
)
export type SearchChanges = Static<typeof SearchChanges>

const define = operationsOf({ tag: 'searches', extension: true })

/** A search whose images are counted. */
export const CountedSearch = Type.Object({
  query: Type.String({ maxLength: MAX_QUERY_LENGTH }),
  filter: Type.Optional(Nullable(SearchFilter)),
})
export type CountedSearch = Static<typeof CountedSearch>

const defineForOne = operationsOf({
  tag: 'searches',
  extension: true,
  params: Type.Object({ search_id: Type.String() }),
  refusals: ['search_not_found'],
})

export const listSearches = define('GET', '/api/v1/searches', {
  operationId: 'list_searches',
  summary: 'Lists the saved searches in their order by hand',
  answers: { 200: Type.Array(SavedSearch) },
})

export const createSearch = define('POST', '/api/v1/searches', {
  operationId: 'create_search',
  summary: 'Saves a search',
  body: NewSearch,
  answers: { 201: SavedSearch },
  refusals: ['invalid_search', 'search_exists', 'too_many_searches'],
})

export const countSearches = define('POST', '/api/v1/searches/counts', {
  operationId: 'count_searches',
  summary:
    'Counts the images and videos that searches find, without intermediate ones, in the order of the searches',
  body: Type.Object({
    searches: Type.Array(CountedSearch, { maxItems: MAX_COUNTED_SEARCHES }),
  }),
  answers: { 200: Type.Object({ counts: Type.Array(Type.Integer({ minimum: 0 })) }) },
  isRead: true,
})

export const getSearch = defineForOne('GET', '/api/v1/searches/{search_id}', {
  operationId: 'get_search',
  summary: 'Returns a saved search',
  answers: { 200: SavedSearch },
})

export const updateSearch = defineForOne('PATCH', '/api/v1/searches/{search_id}', {
  operationId: 'update_search',
  summary: 'Changes the given fields of a saved search',
  body: SearchChanges,
  answers: { 200: SavedSearch },
  refusals: ['search_not_found', 'invalid_search'],
})

export const deleteSearch = defineForOne('DELETE', '/api/v1/searches/{search_id}', {
  operationId: 'delete_search',
  summary: 'Deletes a saved search and returns it. Its images stay',
  answers: { 200: SavedSearch },
})
