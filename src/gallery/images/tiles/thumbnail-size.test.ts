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
    const { tilePx, ...rest } = tile
    const size = { widthPx: tilePx, heightPx: tilePx }
    expect(neededPx(landscape, { ...rest, ...size })).toBe(needed)
  },
)

test('keeps the proportions of an image that fits, and fills the square otherwise', () => {
  const square = { widthPx: 180, heightPx: 180 }
  expect(pictureBox(landscape, square, 'fit')).toEqual({ widthPx: 180, heightPx: 90 })
  expect(pictureBox(landscape, square, 'fill')).toEqual(square)
})

test('needs the pixels of the side that a tile of other proportions crops', () => {
  const tile = { widthPx: 300, heightPx: 200, fit: 'fill', deviceRatio: 1 } as const

  expect(neededPx(landscape, tile)).toBe(400)
})
