import Type, { type Static } from 'typebox'

/** The properties whose values can be counted. */
export const facetKeys = [
  'model',
  'lora',
  'sampler',
  'scheduler',
  'generator',
  'shape',
  'size',
  'type',
  'kind',
  'month',
  'rating',
  'tag',
  'tag_level',
  'board',
  'board_id',
  'camera',
  'lens',
] as const
export const FacetKey = Type.Enum([...facetKeys])
export type FacetKey = Static<typeof FacetKey>

export const MAX_FACET_VALUES = 5_000

/** A value of a property, and the number of images that have it. */
export const FacetValue = Type.Object({
  value: Type.String({
    examples: ['flux1-dev', '1024x1024', '2026-05'],
    description:
      'Of `board` the name, of `board_id` the ID, `none` for uncategorized images. Of `tag_level` a tag or a level above tags, which counts images with tags below it once',
  }),
  count: Type.Integer({ minimum: 1 }),
})
export type FacetValue = Static<typeof FacetValue>

export const Facet = Type.Object({
  key: FacetKey,
  values: Type.Array(FacetValue, {
    description: 'The most frequent ones first; months and ratings from the highest to the lowest',
  }),
  total: Type.Integer({ description: 'Number of values, also of those beyond `limit`' }),
})
export type Facet = Static<typeof Facet>

/** Counts of the values of some properties in a view (extension). */
export const ImageFacets = Type.Object({ facets: Type.Array(Facet) })
export type ImageFacets = Static<typeof ImageFacets>
