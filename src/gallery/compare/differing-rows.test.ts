import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { formatBytes } from '#gallery/ui/text/count.ts'
import { type Compared, differingRows } from './differing-rows.ts'
import { wordDifferences } from './word-differences.ts'

const castle = (
  metadata: Partial<NormalMetadata> | null,
  image: Partial<ImageRecord> = {},
): Compared => ({
  image: {
    width: 512,
    height: 512,
    file_size: 2048,
    media_type: 'image/png',
    created_at: '2026-05-01 10:00:00.000',
    taken_at: null,
    file_name: 'castle.png',
    rating: 0,
    tags: [],
    ...image,
  } as ImageRecord,
  metadata: metadata && ({ generator: null, loras: [], ...metadata } as NormalMetadata),
})

test('lists only properties that differ', () => {
  const rows = differingRows([
    castle({ prompt: 'a castle', seed: 7, steps: 20 }),
    castle({ prompt: 'a castle', seed: 8, steps: 20 }),
  ])

  expect(rows).toEqual([
    { label: 'Seed', values: ['7', '8'], conditions: ['seed:7', 'seed:8'], isText: false },
  ])
})

test('has no rows for equal images', () => {
  expect(differingRows([castle({ seed: 7 }), castle({ seed: 7 })])).toEqual([])
})

test('compares with an image that has no metadata', () => {
  const rows = differingRows([castle({ seed: 7, parameters: { 'Clip skip': '2' } }), castle(null)])

  expect(rows.map(({ label, values }) => [label, ...values])).toEqual([
    ['Seed', '7', ''],
    ['Clip skip', '2', ''],
  ])
})

test('lists LoRAs with their weights, and sizes', () => {
  const film = { name: 'film', weight: 0.8 }
  const rows = differingRows([
    castle({ loras: [film] }),
    castle({}, { width: 1024, file_size: 4096 }),
  ])

  expect(rows.map(({ label, values }) => [label, ...values])).toEqual([
    ['LoRAs', 'film (0.8)', ''],
    ['Size', '512 × 512', '1024 × 512'],
    ['File size', formatBytes(2048), formatBytes(4096)],
  ])
  expect(rows.map(({ conditions }) => conditions)).toEqual([
    ['lora="film"', undefined],
    ['size:512x512', 'size:1024x512'],
    [undefined, undefined],
  ])
})

test('lists ratings and tags, and finds all tags of an image', () => {
  const rows = differingRows([
    castle({}, { rating: 1, tags: ['keep', 'people/Ada'] }),
    castle({}, { tags: ['keep'] }),
    castle({}),
  ])

  expect(rows.map(({ label, values }) => [label, ...values])).toEqual([
    ['Rating', '1 star', 'Not rated', 'Not rated'],
    ['Tags', 'keep\npeople/Ada', 'keep', ''],
  ])
  expect(rows.map(({ conditions }) => conditions)).toEqual([
    ['rating:1', 'rating:0', 'rating:0'],
    ['tag="keep" tag="people/Ada"', 'tag="keep"', undefined],
  ])
})

test('marks the words that differ', () => {
  expect(wordDifferences('a red castle', 'a blue castle')).toEqual([
    { value: 'a ', change: 'same' },
    { value: 'blue', change: 'removed' },
    { value: 'red', change: 'added' },
    { value: ' castle', change: 'same' },
  ])
})

test('joins changed words to phrases', () => {
  expect(wordDifferences('a quiet night, fog', 'a sunny day, fog')).toEqual([
    { value: 'a ', change: 'same' },
    { value: 'sunny day', change: 'removed' },
    { value: 'quiet night', change: 'added' },
    { value: ', fog', change: 'same' },
  ])
})

test('gives up on long texts without a common word', () => {
  const words = (start: number) =>
    Array.from({ length: 3_000 }, (_, at) => String(start + at)).join(' ')

  expect(wordDifferences(words(10_000), words(20_000))).toHaveLength(2)
})
