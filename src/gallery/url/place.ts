import type { ImageCategory } from '#contract/image.ts'
import { DEFAULT_ORDER, type PlaceOrder, parseOrder, writeOrder } from './place-order.ts'

/** Images of some categories, as a person chooses them and an address names them. */
export interface ImageKind {
  readonly word: string
  readonly label: string
  /** Empty: every category. */
  readonly categories: readonly ImageCategory[]
}

export const EVERY_KIND: ImageKind = { word: 'all', label: 'All kinds', categories: [] }

/** What InvokeAI's gallery parts into Images and Assets. */
export const BROAD_KINDS: readonly ImageKind[] = [
  EVERY_KIND,
  { word: 'images', label: 'Images', categories: ['general'] },
  { word: 'assets', label: 'Uploads and others', categories: ['control', 'mask', 'user', 'other'] },
]

export const SINGLE_KINDS: readonly ImageKind[] = [
  { word: 'control', label: 'Control images', categories: ['control'] },
  { word: 'mask', label: 'Masks', categories: ['mask'] },
  { word: 'user', label: 'Uploads', categories: ['user'] },
  { word: 'other', label: 'Others', categories: ['other'] },
]

const KINDS = [...BROAD_KINDS, ...SINGLE_KINDS]

/** A kind as an address names it; every kind where it names none that there is. */
export const kindNamed = (word: string | null): ImageKind =>
  KINDS.find((kind) => kind.word === word) ?? EVERY_KIND

/** The kind that is made of these categories. */
export const kindOf = (categories: readonly ImageCategory[] = []): ImageKind =>
  KINDS.find((kind) => kind.categories.join() === categories.join()) ?? EVERY_KIND

/** Every board at once. */
export const ALL_BOARDS = 'all'

/** Where a person is: what a link carries (product P5, design 6.6). */
export interface Place extends PlaceOrder {
  /** A board's id, `none` for the uncategorized board, {@link ALL_BOARDS}, or the trash. */
  board: string
  /** The image that the lightbox shows. */
  image: string | null
  /** What is searched for. Empty: nothing. */
  query: string
  /** Which categories of images are shown. Empty: every one. */
  categories: readonly ImageCategory[]
}

/** The board parameter that opens the trash. No board has this id: ids are UUIDs. */
export const TRASH = 'trash'

const DEFAULT_PLACE: Place = {
  ...DEFAULT_ORDER,
  board: ALL_BOARDS,
  image: null,
  query: '',
  categories: EVERY_KIND.categories,
}

/** Reads a place out of an address's query. What it does not say, or says wrongly, is the default. */
export function parsePlace(search: string): Place {
  const params = new URLSearchParams(search)
  return {
    ...parseOrder(params),
    board: params.get('board') || DEFAULT_PLACE.board,
    image: params.get('image') || null,
    query: params.get('q') ?? '',
    categories: kindNamed(params.get('kind')).categories,
  }
}

/** The address's query for a place, with only what differs from the default. */
export function formatPlace(place: Place): string {
  const params = new URLSearchParams()
  if (place.board !== DEFAULT_PLACE.board) params.set('board', place.board)
  if (place.query !== '') params.set('q', place.query)
  if (place.categories.length > 0) params.set('kind', kindOf(place.categories).word)
  writeOrder(params, place)
  if (place.image !== null) params.set('image', place.image)
  const search = params.toString()
  return search === '' ? '/' : `/?${search}`
}
