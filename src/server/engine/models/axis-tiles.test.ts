import { expect, test } from 'vitest'
import { axisTiles } from './axis-tiles.ts'

const startsOf = (side: number, tile: number, overlap: number) =>
  axisTiles(side, tile, overlap, 1).map(({ at }) => at)

test.each([
  [10, 16, 4, [0]],
  [16, 16, 4, [0]],
  [17, 16, 4, [0, 1]],
  [28, 16, 4, [0, 12]],
  [50, 16, 4, [0, 12, 24, 34]],
  [32, 16, 0, [0, 16]],
])(
  'divides %i pixels into tiles of %i with an overlap of %i at %j',
  (side, tile, overlap, starts) => {
    expect(startsOf(side, tile, overlap)).toEqual(starts)
  },
)

test.each([
  [100, 16, 5, 1],
  [100, 16, 8, 3],
  [17, 16, 8, 2],
  [5, 16, 8, 4],
])('weights %i pixels (tile %i, overlap %i, factor %i) by 1', (...of) => {
  const [side, , , factor] = of
  const sums = new Float64Array(side * factor)
  for (const { at, weights } of axisTiles(...of)) {
    weights.forEach((weight, index) => {
      sums[at * factor + index] = (sums[at * factor + index] ?? 0) + weight
    })
  }

  for (const sum of sums) expect(sum).toBeCloseTo(1, 6)
})

test('fades a tile in linearly where it overlaps the previous one', () => {
  const [first, second] = axisTiles(28, 16, 4, 1)

  expect([...(first?.weights.subarray(11) ?? [])]).toEqual([1, 0.875, 0.625, 0.375, 0.125])
  expect([...(second?.weights.subarray(0, 5) ?? [])]).toEqual([0.125, 0.375, 0.625, 0.875, 1])
})
