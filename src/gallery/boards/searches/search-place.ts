import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { filterOf, filterOfQuery, queryOfFilter } from '#contract/image-filter.ts'
import { MAX_SEARCH_NAME_LENGTH } from '#contract/limits.ts'
import { printTerm } from '#contract/search/search.ts'
import type { NewSavedSearch, SavedSearch } from '#gallery/api/searches.ts'
import { type Place, STARRED } from '#gallery/url/place.ts'
import { NO_FILTER, type PlaceFilter } from '#gallery/url/place-filter.ts'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'

/** The query and the other filters of a search. */
type SearchContent = Pick<NewSavedSearch, 'query' | 'filter'>

/** Returns the place that a saved search opens. */
export const placeOfSearch = ({
  search_id,
  query,
  filter,
}: Pick<SavedSearch, 'search_id'> & SearchContent) => ({
  ...{ board: ALL_BOARDS, image: null, search: search_id, query },
  ...placeFilterOf(filter),
})

function placeFilterOf(filter: SearchContent['filter']): PlaceFilter {
  const { isStarred, categories = [], ...others } = filterOfQuery(filter ?? {})
  return { ...NO_FILTER, ...others, categories, isStarred: isStarred || undefined }
}

/** Returns what finds the images of a place, wherever they are: its board becomes a condition. */
export function searchOfPlace(place: Place, boardName: string | null): SearchContent {
  const isStarred = place.board === STARRED || place.isStarred
  const { is_intermediate: _, ...filter } = queryOfFilter(filterOf({ ...place, isStarred }))
  const query = [conditionOf(place.board, boardName), place.query].filter(Boolean).join(' ').trim()
  return { query, filter: Object.keys(filter).length === 0 ? null : filter }
}

function conditionOf(boardId: string, boardName: string | null): string {
  if (boardId === ALL_BOARDS || boardId === STARRED) return ''
  if (boardId === UNCATEGORIZED_BOARD_ID) return '-has:board'
  if (boardName === null) return ''
  const condition = { type: 'text', key: 'board', text: boardName, isExact: true } as const
  return printTerm({ ...condition, start: 0, end: 0 })
}

/** Returns true if both find the same, as they are written. */
export const areSameSearches = (one: SearchContent, other: SearchContent): boolean =>
  one.query === other.query && textOf(one.filter) === textOf(other.filter)

const textOf = (filter: SearchContent['filter']): string =>
  JSON.stringify(Object.entries(filter ?? {}).sort())

/** Returns a name for a search, for users to change. */
export const suggestedName = (query: string): string =>
  query.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_SEARCH_NAME_LENGTH).trim()
