import type { ImageCategory } from '#contract/image.ts'
import type { ImageFilter } from '#contract/image-filter.ts'

export interface PlaceFilter {
  /** Visible image categories; empty means all. */
  categories: readonly ImageCategory[]
  /** True shows only starred images. */
  isStarred: true | undefined
}

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

/** All kinds as options of a choice. */
export const KIND_CHOICES = KINDS.map(({ word, label }) => ({ value: word, label }))

/** Returns the kind with this URL value; all kinds if it is missing or unknown. */
export const kindNamed = (word: string | null): ImageKind =>
  KINDS.find((kind) => kind.word === word) ?? EVERY_KIND

export const kindOf = (categories: readonly ImageCategory[] = []): ImageKind =>
  KINDS.find((kind) => kind.categories.join() === categories.join()) ?? EVERY_KIND

export const NO_FILTER: PlaceFilter = { categories: EVERY_KIND.categories, isStarred: undefined }

/** Parses filters from URL parameters. Missing and invalid values filter nothing. */
export const parseFilter = (params: URLSearchParams): PlaceFilter => ({
  categories: kindNamed(params.get('kind')).categories,
  isStarred: params.get('only') === 'starred' || undefined,
})

export function writeFilter(params: URLSearchParams, { categories, isStarred }: PlaceFilter): void {
  if (categories.length > 0) params.set('kind', kindOf(categories).word)
  if (isStarred) params.set('only', 'starred')
}

/** Returns the label of a view's filters, or null without any. */
export function labelOfFilter({ categories, isStarred }: ImageFilter): string | null {
  const kind = kindOf(categories)
  if (kind === EVERY_KIND) return isStarred ? 'Starred images' : null
  return isStarred ? `Starred: ${kind.label}` : kind.label
}
