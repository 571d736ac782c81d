import { expect, test } from 'vitest'
import { neededPx, pictureBox } from './thumbnail-size.ts'

const landscape = { width: 1600, height: 800 }

test.each([
  { fit: 'fit', tilePx: 180, deviceRatio: 1, needed: 180 },
  { fit: 'fit', tilePx: 180, deviceRatio: 3, needed: 540 },
  { fit: 'fill', tilePx: 180, deviceRatio: 2, needed: 720 },
  { fit: 'fill', tilePx: 400, deviceRatio: 3, needed: 1600 },
] as const)(
  'needs $needed px for a $tilePx px tile with "$fit" at ratio $deviceRatio',
  ({ needed, ...tile }) => {
    expect(neededPx(landscape, tile)).toBe(needed)
  },
)

test('keeps the proportions of an image that fits, and fills the square otherwise', () => {
  expect(pictureBox(landscape, 180, 'fit')).toEqual({ widthPx: 180, heightPx: 90 })
  expect(pictureBox(landscape, 180, 'fill')).toEqual({ widthPx: 180, heightPx: 180 })
})
