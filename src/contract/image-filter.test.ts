import { expect, test } from 'vitest'
import {
  type FilteredImage,
  filterOfQuery,
  type ImageFilter,
  isFiltered,
  matchesFilter,
  queryOfFilter,
} from './image-filter.ts'

const mask: FilteredImage = {
  image_category: 'mask',
  image_origin: 'internal',
  is_intermediate: false,
  starred: true,
  video: null,
}

test.each<[ImageFilter, boolean]>([
  [{}, true],
  [{ categories: [] }, true],
  [{ categories: ['general', 'mask'], imageOrigin: 'internal', isIntermediate: false }, true],
  [{ categories: ['general'] }, false],
  [{ categories: ['mask'], imageOrigin: 'external' }, false],
  [{ isIntermediate: true }, false],
  [{ isStarred: true }, true],
  [{ isStarred: false }, false],
  [{ kind: 'all' }, true],
  [{ kind: 'image' }, true],
  [{ kind: 'video' }, false],
])('compares a mask with %j', (filter, isMatch) => {
  expect(matchesFilter(filter, mask)).toBe(isMatch)
})

const clip: FilteredImage = {
  ...mask,
  video: { duration: 5.04, fps: 24, codec: 'h264', has_sound: false, poster_ms: null },
}

test.each<[ImageFilter, FilteredImage, boolean]>([
  [{ minDurationMs: 5_040 }, clip, true],
  [{ minDurationMs: 5_041 }, clip, false],
  [{ maxDurationMs: 5_040 }, clip, false],
  [{ minDurationMs: 0, maxDurationMs: 5_041 }, clip, true],
  [{ kind: 'image', minDurationMs: 0 }, clip, false],
  [{ minDurationMs: 0 }, mask, false],
  [{ maxDurationMs: 9_000 }, mask, false],
])('compares the duration %j', (filter, image, isMatch) => {
  expect(matchesFilter(filter, image)).toBe(isMatch)
})

test('restores a filter by duration from its query', () => {
  const filter: ImageFilter = { kind: 'video', minDurationMs: 0, maxDurationMs: 5_000 }

  const query = queryOfFilter(filter)

  expect(query).toEqual({ kind: 'video', min_duration: 0, max_duration: 5_000 })
  expect(filterOfQuery(query)).toEqual(filter)
  expect(isFiltered({ kind: 'all', maxDurationMs: 5_000 })).toBe(true)
})

test('restores a filter from its query, which omits empty filters', () => {
  const filter: ImageFilter = { categories: ['user'], isIntermediate: false, isStarred: false }

  const query = queryOfFilter({ ...filter, imageOrigin: undefined })

  expect(query).toEqual({ categories: ['user'], is_intermediate: false, starred: false })
  expect(filterOfQuery(query)).toEqual(filter)
  expect(queryOfFilter({ categories: [] })).toEqual({})
})

test('does not count the filter that galleries always send', () => {
  expect(isFiltered({ isIntermediate: false })).toBe(false)
  expect(isFiltered({ isIntermediate: false, categories: ['user'] })).toBe(true)
})
