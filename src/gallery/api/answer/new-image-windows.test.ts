import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { type ImageView, type ImageWindow, WINDOW_SIZE } from '#gallery/api/images/image-windows.ts'
import { imageAnswer } from '#testing/fake-fetch.ts'
import { isNewestFirst, isOf, withNewImages } from './new-image-windows.ts'

const newest: ImageView = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false }

/** Returns an image that was created at this millisecond. */
const image = (ms: number, change: Partial<ImageRecord> = {}): ImageRecord => ({
  ...(imageAnswer({ image_name: `${ms}.png` }) as ImageRecord),
  created_at: `2026-11-21 07:00:00.${String(ms).padStart(3, '0')}`,
  ...change,
})

/** Returns windows of a view whose images were created at the milliseconds from `total` down to 1. */
const windowsOf = (total: number, indices: readonly number[]): Map<number, ImageWindow> =>
  new Map(
    indices.map((index) => {
      const length = Math.min(WINDOW_SIZE, total - index * WINDOW_SIZE)
      const items = Array.from({ length }, (_, at) => image(total - index * WINDOW_SIZE - at))
      return [index, { items, total }]
    }),
  )

const namesIn = (window: ImageWindow | undefined) =>
  window?.items.map((record) => record?.image_name.replace('.png', '') ?? '-')

test('inserts new images at the front, newest first', () => {
  const inserted = withNewImages(newest, windowsOf(3, [0]), [image(4), image(5)])

  expect(namesIn(inserted?.get(0))).toEqual(['5', '4', '3', '2', '1'])
  expect(inserted?.get(0)?.total).toBe(5)
})

test('inserts new images after starred ones', () => {
  const items = [image(1, { starred: true }), image(3), image(2)]
  const view = { ...newest, starredFirst: true }

  const inserted = withNewImages(view, new Map([[0, { items, total: 3 }]]), [image(4)])

  expect(namesIn(inserted?.get(0))).toEqual(['1', '4', '3', '2'])
})

test('does not insert an image twice', () => {
  const inserted = withNewImages(newest, windowsOf(3, [0]), [image(3), image(4)])

  expect(namesIn(inserted?.get(0))).toEqual(['4', '3', '2', '1'])
  expect(inserted?.get(0)?.total).toBe(4)
})

test('moves later windows down and leaves holes for unknown records', () => {
  const windows = windowsOf(900, [0, 2])

  const inserted = withNewImages(newest, windows, [image(901), image(902)])

  expect(namesIn(inserted?.get(0))?.slice(0, 3)).toEqual(['902', '901', '900'])
  expect(inserted?.get(0)?.items).toHaveLength(WINDOW_SIZE)
  expect(namesIn(inserted?.get(1))?.slice(0, 3)).toEqual(['702', '701', '-'])
  expect(namesIn(inserted?.get(2))?.slice(0, 3)).toEqual(['-', '-', '500'])
  expect(namesIn(inserted?.get(3))?.slice(0, 3)).toEqual(['302', '301', '-'])
})

test('does not move a window that was loaded later', () => {
  const windows = new Map([...windowsOf(900, [0]), ...windowsOf(901, [2])])

  const inserted = withNewImages(newest, windows, [image(901)])

  expect(namesIn(inserted?.get(0))?.[0]).toBe('901')
  expect(namesIn(inserted?.get(2))?.[0]).toBe('501')
})

test('returns null if the front is not loaded', () => {
  expect(withNewImages(newest, windowsOf(900, [2]), [image(901)])).toBeNull()
})

test('returns null if all known images are starred', () => {
  const items = Array.from({ length: WINDOW_SIZE }, (_, at) => image(900 - at, { starred: true }))
  const windows = new Map([[0, { items, total: 900 }]])

  expect(withNewImages({ ...newest, starredFirst: true }, windows, [image(901)])).toBeNull()
})

test('skips an image that is older than all known ones', () => {
  const inserted = withNewImages(newest, windowsOf(900, [0]), [image(3)])

  expect(inserted?.get(0)?.total).toBe(900)
})

test.each([
  { view: newest, is: true },
  { view: { ...newest, boardId: 'none' }, is: true },
  { view: { ...newest, boardId: 'portraits' }, is: false },
  { view: { ...newest, categories: ['general'] as const }, is: false },
])('isOf($view) of an uncategorized upload: $is', ({ view, is }) => {
  expect(isOf(view, image(1))).toBe(is)
})

test.each([
  { view: newest, is: true },
  { view: { ...newest, query: 'castle' }, is: false },
  { view: { ...newest, orderDir: 'ASC' as const }, is: false },
  { view: { ...newest, orderBy: 'name' as const }, is: false },
])('isNewestFirst($view): $is', ({ view, is }) => {
  expect(isNewestFirst(view)).toBe(is)
})
