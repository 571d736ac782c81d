import type { ImageCategory, ItemKind } from '#contract/image.ts'
import type { ImageFilter } from '#contract/image-filter.ts'

export interface PlaceFilter {
  /** Visible image categories; empty means all. */
  categories: readonly ImageCategory[]
  /** Images or videos; undefined: both. */
  kind: ItemKind | undefined
  /** True shows only starred images. */
  isStarred: true | undefined
}

/** A choice of images and videos that users can make and URLs can contain. */
export interface ImageKind {
  readonly word: string
  readonly label: string
  /** Empty means all categories. */
  readonly categories: readonly ImageCategory[]
  readonly kind?: ItemKind
}

export const EVERY_KIND: ImageKind = { word: 'all', label: 'All kinds', categories: [] }

export const VIDEOS: ImageKind = { word: 'videos', label: 'Videos', categories: [], kind: 'video' }

/** The kinds of InvokeAI's gallery, Images and Assets, videos, and all kinds. */
export const BROAD_KINDS: readonly ImageKind[] = [
  EVERY_KIND,
  { word: 'images', label: 'Images', categories: ['general'], kind: 'image' },
  VIDEOS,
  { word: 'assets', label: 'Uploads and others', categories: ['control', 'mask', 'user', 'other'] },
]

export const SINGLE_KINDS: readonly ImageKind[] = [
  { word: 'control', label: 'Control images', categories: ['control'] },
  { word: 'mask', label: 'Masks', categories: ['mask'] },
  { word: 'user', label: 'Uploads', categories: ['user'] },
  { word: 'other', label: 'Others', categories: ['other'] },
]

const KINDS = [...BROAD_KINDS, ...SINGLE_KINDS]

/** All kinds as options of a choice. */
export const KIND_CHOICES = KINDS.map(({ word, label }) => ({ value: word, label }))

/** Returns the kind with this URL value; all kinds if it is missing or unknown. */
export const kindNamed = (word: string | null): ImageKind =>
  KINDS.find((kind) => kind.word === word) ?? EVERY_KIND

export const kindOf = ({ categories = [], kind }: Pick<ImageFilter, 'categories' | 'kind'>) =>
  KINDS.find((one) => one.kind === kind && one.categories.join() === categories.join()) ??
  EVERY_KIND

/** Returns the filters of the kind with this URL value. */
export const filterOfKind = (word: string | null): Pick<PlaceFilter, 'categories' | 'kind'> => {
  const { categories, kind } = kindNamed(word)
  return { categories, kind }
}

export const NO_FILTER: PlaceFilter = { ...filterOfKind(null), isStarred: undefined }

/** Parses filters from URL parameters. Missing and invalid values filter nothing. */
export const parseFilter = (params: URLSearchParams): PlaceFilter => ({
  ...filterOfKind(params.get('kind')),
  isStarred: params.get('only') === 'starred' || undefined,
})

export function writeFilter(params: URLSearchParams, filter: PlaceFilter): void {
  const kind = kindOf(filter)
  if (kind !== EVERY_KIND) params.set('kind', kind.word)
  if (filter.isStarred) params.set('only', 'starred')
}

/** Returns the label of a view's filters, or null without any. */
export function labelOfFilter({ isStarred, ...filter }: ImageFilter): string | null {
  const kind = kindOf(filter)
  if (kind === EVERY_KIND) return isStarred ? 'Starred images' : null
  return isStarred ? `Starred: ${kind.label}` : kind.label
}
