import { expect, test } from 'vitest'
import { ratioOf } from './image-ratio.ts'

test.each([
  [100, 100, 60],
  [1920, 1080, 107],
  [2, 3, 40],
  [10_000, 10, 240],
  [10, 10_000, 15],
  [0, 0, 240],
])('an image of %i by %i pixels has the ratio %i', (width, height, ratio) => {
  expect(ratioOf({ width, height })).toBe(ratio)
})
