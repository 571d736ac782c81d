import { pagePath } from './page-path.ts'
import { NO_FILTER, type PlaceFilter, parseFilter, writeFilter } from './place-filter.ts'
import {
  ALL_BOARDS,
  defaultOrderOf,
  type PlaceOrder,
  parseOrder,
  searchKeyOf,
  writeOrder,
} from './place-order.ts'

/** Location in the gallery, as encoded in the URL. */
export interface Place extends PlaceOrder, PlaceFilter {
  /** Id of a board, `none` for uncategorized, {@link ALL_BOARDS}, {@link STARRED}, {@link DUPLICATES}, or {@link TRASH}. */
  board: string
  /** Name of the image in the lightbox; null if it is closed. */
  image: string | null
  query: string
  /** The insights of the place; null: its images. */
  page: 'insights' | null
  /** The ID of the saved search that is open; null: none. The query may have been edited since. */
  search: string | null
}

/** Board parameter of the starred images of all boards. */
export const STARRED = 'starred'

/** Stands for the insights in the navigation, where boards have their ID. */
export const INSIGHTS = 'insights'

/** Returns the key under which the order of a place is remembered: its board, or its saved search. */
export const orderKeyOf = ({ board, search }: Pick<Place, 'board' | 'search'>): string =>
  search === null ? board : searchKeyOf(search)

const DEFAULT_PLACE: Place = {
  ...defaultOrderOf(ALL_BOARDS),
  ...NO_FILTER,
  board: ALL_BOARDS,
  image: null,
  query: '',
  page: null,
  search: null,
}

/** Parses a place from a URL query. Missing and invalid values get the default. */
export function parsePlace(search: string): Place {
  const params = new URLSearchParams(search)
  const board = params.get('board') || DEFAULT_PLACE.board
  return {
    ...parseOrder(params, board),
    ...parseFilter(params),
    board,
    image: params.get('image') || null,
    query: params.get('q') ?? '',
    page: params.get('page') === 'insights' ? 'insights' : null,
    search: params.get('search') || null,
  }
}

/** Formats a place as a URL, omitting default values. */
export function formatPlace(place: Place): string {
  const params = new URLSearchParams()
  if (place.board !== DEFAULT_PLACE.board) params.set('board', place.board)
  if (place.search !== null) params.set('search', place.search)
  if (place.query !== '') params.set('q', place.query)
  if (place.page !== null) params.set('page', place.page)
  writeFilter(params, place)
  writeOrder(params, place, place.board)
  if (place.image !== null) params.set('image', place.image)
  const search = params.toString()
  return search === '' ? pagePath() : `${pagePath()}?${search}`
}
