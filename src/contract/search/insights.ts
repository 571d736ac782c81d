import Type, { type Static } from 'typebox'
import { MAX_READ_PROMPTS } from '#contract/limits.ts'
import { FacetValue } from './facets.ts'

/** Sums over the images of a view that facets cannot give. */
export const insightKeys = ['storage', 'words', 'seeds'] as const
export const InsightKey = Type.Enum([...insightKeys])
export type InsightKey = Static<typeof InsightKey>

export const MAX_INSIGHT_VALUES = 1_000

const sizes = {
  count: Type.Integer({ minimum: 1, description: 'Number of images and videos' }),
  bytes: Type.Integer({ minimum: 0, description: 'Size of their files' }),
}

export const BoardStorage = Type.Object({
  board_id: Type.String({ description: '`none` for uncategorized images' }),
  board_name: Type.String(),
  ...sizes,
})
export type BoardStorage = Static<typeof BoardStorage>

export const TypeStorage = Type.Object({
  type: Type.String({ examples: ['png'], description: 'As in the condition `type:png`' }),
  ...sizes,
})
export type TypeStorage = Static<typeof TypeStorage>

export const StorageInsight = Type.Object({
  boards: Type.Array(BoardStorage, { description: 'The largest ones first' }),
  board_total: Type.Integer({ description: 'Number of boards, also of those beyond `limit`' }),
  types: Type.Array(TypeStorage, { description: 'The largest ones first' }),
})
export type StorageInsight = Static<typeof StorageInsight>

export const WordInsight = Type.Object({
  values: Type.Array(FacetValue, { description: 'Words of prompts, the most frequent ones first' }),
  total: Type.Integer({ description: 'Number of words, also of those beyond `limit`' }),
  prompt_count: Type.Integer({ description: 'Number of images with a prompt' }),
  read_count: Type.Integer({
    description: `Number of images whose prompts were counted. Of more than ${MAX_READ_PROMPTS}, an even sample`,
  }),
})
export type WordInsight = Static<typeof WordInsight>

export const SeedInsight = Type.Object({
  values: Type.Array(FacetValue, {
    description: 'Seeds of two or more images, the most frequent ones first',
  }),
  total: Type.Integer({ description: 'Number of these seeds, also of those beyond `limit`' }),
})
export type SeedInsight = Static<typeof SeedInsight>

/** Sums over the images of a view (extension). It has only what was asked for. */
export const ImageInsights = Type.Object({
  storage: Type.Optional(StorageInsight),
  words: Type.Optional(WordInsight),
  seeds: Type.Optional(SeedInsight),
})
export type ImageInsights = Static<typeof ImageInsights>
