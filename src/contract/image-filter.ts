import Type, { type Static, type TObject } from 'typebox'
import { ImageCategory, ImageOrigin, type ImageRecord, ItemKind } from './image.ts'
import type { VideoDetails } from './videos/video-details.ts'

/** A length of time in milliseconds. */
const DURATION = { minimum: 0, maximum: 1_000_000_000_000 }

/** Query keys of {@link ImageFilter}. */
export const filterQuery = {
  image_origin: Type.Optional(ImageOrigin),
  categories: Type.Optional(Type.Array(ImageCategory)),
  is_intermediate: Type.Optional(Type.Boolean({ description: 'Default: both' })),
  starred: Type.Optional(Type.Boolean({ description: 'Default: both' })),
  kind: Type.Optional(Type.Enum([...ItemKind.enum], { default: 'image' })),
  min_duration: Type.Optional(
    Type.Integer({ ...DURATION, description: 'Only videos of at least this length, in ms' }),
  ),
  max_duration: Type.Optional(
    Type.Integer({ ...DURATION, description: 'Only videos shorter than this, in ms' }),
  ),
}
type FilterQuery = Static<TObject<typeof filterQuery>>

/** Filters of a view by properties of its images. An absent filter matches every image. */
export interface ImageFilter {
  /** Empty matches every category. */
  readonly categories?: readonly ImageCategory[] | undefined
  readonly imageOrigin?: ImageOrigin | undefined
  /** Galleries send false. */
  readonly isIntermediate?: boolean | undefined
  /** An extension: InvokeAI ignores it. */
  readonly isStarred?: boolean | undefined
  /** An extension. Absent: images. */
  readonly kind?: ItemKind | undefined
  /** An extension. Matches only videos of at least this length. */
  readonly minDurationMs?: number | undefined
  /** An extension. Matches only videos that are shorter. */
  readonly maxDurationMs?: number | undefined
}

/** The properties of an image that filters compare. */
export type FilteredImage = Pick<
  ImageRecord,
  'image_category' | 'image_origin' | 'is_intermediate' | 'starred' | 'video'
>

const durationMsOf = ({ duration }: VideoDetails): number => Math.round(duration * 1000)

/** The query key of each filter, and its rule for records in memory. */
const rules: {
  readonly [Name in keyof ImageFilter]-?: {
    readonly key: keyof FilterQuery
    matches(image: FilteredImage, wanted: NonNullable<ImageFilter[Name]>): boolean
  }
} = {
  categories: {
    key: 'categories',
    matches: ({ image_category }, wanted) => wanted.includes(image_category),
  },
  imageOrigin: {
    key: 'image_origin',
    matches: ({ image_origin }, wanted) => image_origin === wanted,
  },
  isIntermediate: {
    key: 'is_intermediate',
    matches: ({ is_intermediate }, wanted) => is_intermediate === wanted,
  },
  isStarred: {
    key: 'starred',
    matches: ({ starred }, wanted) => starred === wanted,
  },
  kind: {
    key: 'kind',
    matches: ({ video }, wanted) => wanted === 'all' || (video !== null) === (wanted === 'video'),
  },
  minDurationMs: {
    key: 'min_duration',
    matches: ({ video }, wanted) => video !== null && durationMsOf(video) >= wanted,
  },
  maxDurationMs: {
    key: 'max_duration',
    matches: ({ video }, wanted) => video !== null && durationMsOf(video) < wanted,
  },
}
const names = Object.keys(rules) as (keyof ImageFilter)[]

type Wanted = ImageFilter[keyof ImageFilter]

const isSet = (wanted: unknown): boolean =>
  wanted !== undefined && !(Array.isArray(wanted) && wanted.length === 0)

const pick = (toEntry: (name: keyof ImageFilter) => readonly [string, unknown]) =>
  Object.fromEntries(names.map(toEntry).filter(([, wanted]) => isSet(wanted)))

/** Returns the filters of a view, without its board, search and order. */
export const filterOf = (view: ImageFilter): ImageFilter => pick((name) => [name, view[name]])

/** Returns the filters that a query contains. */
export const filterOfQuery = (query: FilterQuery): ImageFilter =>
  pick((name) => [name, query[rules[name].key]])

/** Returns the query parameters of the filters of a view. */
export const queryOfFilter = (view: ImageFilter): FilterQuery =>
  pick((name) => [rules[name].key, view[name]])

/** Returns true if a view has filters, besides those that galleries always send. */
export const isFiltered = ({ kind, ...view }: ImageFilter): boolean => {
  const chosen = { ...view, isIntermediate: undefined, ...(kind !== 'all' && { kind }) }
  return Object.keys(filterOf(chosen)).length > 0
}

/** Returns true if all filters of a view match an image. */
export const matchesFilter = (view: ImageFilter, image: FilteredImage): boolean =>
  names.every((name) => {
    const { matches } = rules[name] as { matches(image: FilteredImage, wanted: Wanted): boolean }
    return !isSet(view[name]) || matches(image, view[name])
  })
