import type { ImageCategory, ItemKind } from '#contract/image.ts'
import type { ImageFilter } from '#contract/image-filter.ts'

export interface PlaceFilter {
  /** Visible image categories; empty means all. */
  categories: readonly ImageCategory[]
  /** Images or videos; undefined: both. */
  kind: ItemKind | undefined
  /** True shows only starred images. */
  isStarred: true | undefined
  /** Shows only videos of at least `minDurationMs` and under `maxDurationMs`. undefined: no limit. */
  minDurationMs: number | undefined
  maxDurationMs: number | undefined
}

type Lengths = Pick<PlaceFilter, 'minDurationMs' | 'maxDurationMs'>

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

/** A choice of lengths of videos that users can make and URLs can contain. */
interface VideoLength extends Partial<Lengths> {
  readonly word: string
  readonly label: string
  /** The end of the label of the filter, after "Videos". */
  readonly suffix: string
}

const ANY_LENGTH: VideoLength = { word: 'any', label: 'Any length', suffix: '' }

/** Most generated clips have less than 15 seconds, and most others some minutes at most. */
const LENGTHS: readonly VideoLength[] = [
  ANY_LENGTH,
  { word: 'under-5s', label: 'Under 5 s', suffix: ' under 5 s', maxDurationMs: 5_000 },
  {
    ...{ word: '5-to-15s', label: '5 to 15 s', suffix: ' of 5 to 15 s' },
    ...{ minDurationMs: 5_000, maxDurationMs: 15_000 },
  },
  {
    ...{ word: '15-to-60s', label: '15 s to 1 min', suffix: ' of 15 s to 1 min' },
    ...{ minDurationMs: 15_000, maxDurationMs: 60_000 },
  },
  { word: 'over-60s', label: 'Over 1 min', suffix: ' over 1 min', minDurationMs: 60_000 },
]

/** All lengths as options of a choice. */
export const LENGTH_CHOICES = LENGTHS.map(({ word, label }) => ({ value: word, label }))

export const NO_LENGTH: Lengths = { minDurationMs: undefined, maxDurationMs: undefined }

export const lengthOf = ({
  minDurationMs,
  maxDurationMs,
}: Pick<ImageFilter, keyof Lengths>): VideoLength =>
  LENGTHS.find(
    (one) => one.minDurationMs === minDurationMs && one.maxDurationMs === maxDurationMs,
  ) ?? ANY_LENGTH

type KindFilter = Omit<PlaceFilter, 'isStarred'>

/** Returns the filters of the kind with this URL value, with videos of any length. */
export const filterOfKind = (word: string | null): KindFilter => {
  const { categories, kind } = kindNamed(word)
  return { categories, kind, ...NO_LENGTH }
}

/** Returns the filters of the length with this URL value. Only videos have a length. */
export const filterOfLength = (word: string | null): Lengths | KindFilter => {
  const { minDurationMs, maxDurationMs } = LENGTHS.find((one) => one.word === word) ?? ANY_LENGTH
  const isAny = minDurationMs === undefined && maxDurationMs === undefined
  return isAny ? NO_LENGTH : { ...filterOfKind(VIDEOS.word), minDurationMs, maxDurationMs }
}

export const NO_FILTER: PlaceFilter = { ...filterOfKind(null), isStarred: undefined }

/** Parses filters from URL parameters. Missing and invalid values filter nothing. */
export const parseFilter = (params: URLSearchParams): PlaceFilter => ({
  ...filterOfKind(params.get('kind')),
  ...(params.get('kind') === VIDEOS.word && filterOfLength(params.get('length'))),
  isStarred: params.get('only') === 'starred' || undefined,
})

export function writeFilter(params: URLSearchParams, filter: PlaceFilter): void {
  const kind = kindOf(filter)
  const length = lengthOf(filter)
  if (kind !== EVERY_KIND) params.set('kind', kind.word)
  if (length !== ANY_LENGTH) params.set('length', length.word)
  if (filter.isStarred) params.set('only', 'starred')
}

/** Returns the label of a view's filters, or null without any. */
export function labelOfFilter({ isStarred, ...filter }: ImageFilter): string | null {
  const kind = kindOf(filter)
  if (kind === EVERY_KIND) return isStarred ? 'Starred images' : null
  const label = `${kind.label}${lengthOf(filter).suffix}`
  return isStarred ? `Starred: ${label}` : label
}
