import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImageOrder } from '#contract/image.ts'
import { formatPlace, parsePlace } from './place.ts'
import {
  BROAD_KINDS,
  filterOfKind,
  filterOfLength,
  LENGTH_CHOICES,
  SINGLE_KINDS,
} from './place-filter.ts'
import { LAYOUTS, type OrderDir } from './place-order.ts'

test('parses an empty query as all boards by date taken, newest first', () => {
  expect(parsePlace('')).toEqual({
    board: 'all',
    image: null,
    query: '',
    page: null,
    search: null,
    categories: [],
    orderBy: 'taken_at',
    orderDir: 'DESC',
    starredFirst: false,
    groupByDay: false,
    layout: 'fill',
  })
})

test('restores every place from its URL', () => {
  const place = fc.record({
    board: fc.string({ minLength: 1, unit: 'grapheme' }),
    image: fc.option(fc.string({ minLength: 1, unit: 'grapheme' })),
    query: fc.string({ unit: 'grapheme' }),
    page: fc.constantFrom('insights' as const, null),
    search: fc.option(fc.string({ minLength: 1, unit: 'grapheme' })),
    ofKind: fc.constantFrom(...[...BROAD_KINDS, ...SINGLE_KINDS].map(({ word }) => word)),
    ofLength: fc.constantFrom(...LENGTH_CHOICES.map(({ value }) => value)),
    orderBy: fc.constantFrom<ImageOrder>('created_at', 'taken_at', 'name', 'size', 'duration'),
    orderDir: fc.constantFrom<OrderDir>('ASC', 'DESC'),
    starredFirst: fc.boolean(),
    isStarred: fc.constantFrom<true | undefined>(true, undefined),
    groupByDay: fc.boolean(),
    layout: fc.constantFrom(...LAYOUTS),
  })

  fc.assert(
    fc.property(place, ({ ofKind, ofLength, ...rest }) => {
      const original = { ...rest, ...filterOfKind(ofKind), ...filterOfLength(ofLength) }
      const address = new URL(formatPlace(original), 'http://localhost')

      expect(parsePlace(address.search)).toEqual(original)
    }),
  )
})

test.each([
  ['?board=none', { orderBy: 'created_at', orderDir: 'DESC' }],
  ['?sort=added', { orderBy: 'created_at', orderDir: 'DESC' }],
  ['?order=oldest', { orderBy: 'taken_at', orderDir: 'ASC' }],
  ['?tiles=rows', { layout: 'rows' }],
  ['?tiles=mosaic', { layout: 'fill' }],
  ['?sort=name', { orderBy: 'name', orderDir: 'ASC' }],
  ['?sort=name&order=z-a', { orderBy: 'name', orderDir: 'DESC' }],
  ['?board=trash', { orderBy: 'deleted_at', orderDir: 'DESC' }],
  ['?board=trash&sort=name', { orderBy: 'name', orderDir: 'ASC' }],
  ['?board=none&sort=deleted', { orderBy: 'created_at' }],
  ['?sort=size', { orderBy: 'size', orderDir: 'DESC' }],
  ['?board=none&sort=colour&order=z-a', { orderBy: 'created_at', orderDir: 'DESC' }],
  ['?kind=images', { categories: ['general'], kind: 'image' }],
  ['?kind=videos', { categories: [], kind: 'video' }],
  ['?kind=videos&length=5-to-15s', { kind: 'video', minDurationMs: 5_000, maxDurationMs: 15_000 }],
  ['?kind=videos&length=over-60s', { minDurationMs: 60_000, maxDurationMs: undefined }],
  ['?kind=videos&length=long', { kind: 'video', minDurationMs: undefined }],
  ['?kind=images&length=under-5s', { kind: 'image', maxDurationMs: undefined }],
  ['?sort=length', { orderBy: 'duration', orderDir: 'DESC' }],
  ['?sort=length&order=shortest', { orderBy: 'duration', orderDir: 'ASC' }],
  ['?board=trash&sort=length', { orderBy: 'deleted_at' }],
  ['?kind=selfies', { categories: [] }],
  ['?q=castle&page=insights', { query: 'castle', page: 'insights' }],
  ['?page=outsights', { page: null }],
])('parses %s', (search, expected) => {
  expect(parsePlace(search)).toMatchObject(expected)
})
