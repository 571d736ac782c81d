import type { ImageCategory } from '#contract/image.ts'
import { DEFAULT_ORDER, type PlaceOrder, parseOrder, writeOrder } from './place-order.ts'

/** A set of image categories that users can choose and URLs can contain. */
export interface ImageKind {
  readonly word: string
  readonly label: string
  /** Empty means all categories. */
  readonly categories: readonly ImageCategory[]
}

export const EVERY_KIND: ImageKind = { word: 'all', label: 'All kinds', categories: [] }

/** The two kinds of InvokeAI's gallery, Images and Assets, and all kinds. */
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

/** Returns the kind with this URL value; all kinds if it is missing or unknown. */
export const kindNamed = (word: string | null): ImageKind =>
  KINDS.find((kind) => kind.word === word) ?? EVERY_KIND

/** Returns the kind with exactly these categories. */
export const kindOf = (categories: readonly ImageCategory[] = []): ImageKind =>
  KINDS.find((kind) => kind.categories.join() === categories.join()) ?? EVERY_KIND

/** Board parameter of the view with all boards. */
export const ALL_BOARDS = 'all'

/** Location in the gallery, as encoded in the URL. */
export interface Place extends PlaceOrder {
  /** Id of a board, `none` for uncategorized, {@link ALL_BOARDS}, or {@link TRASH}. */
  board: string
  /** Name of the image in the lightbox; null if it is closed. */
  image: string | null
  /** Search query; empty for no search. */
  query: string
  /** Visible image categories; empty means all. */
  categories: readonly ImageCategory[]
}

/** Board parameter of the trash. Board ids are UUIDs, so no board has this id. */
export const TRASH = 'trash'

const DEFAULT_PLACE: Place = {
  ...DEFAULT_ORDER,
  board: ALL_BOARDS,
  image: null,
  query: '',
  categories: EVERY_KIND.categories,
}

/** Parses a place from a URL query. Missing and invalid values get the default. */
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

/** Formats a place as a URL, omitting default values. */
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
