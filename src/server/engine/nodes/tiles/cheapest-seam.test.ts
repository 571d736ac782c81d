import fc from 'fast-check'
import { expect, test } from 'vitest'
import { neverAborted } from '#testing/library/pictures.ts'
import { cheapestSeam } from './cheapest-seam.ts'

const seamThrough = async (costs: readonly (readonly number[])[], first = 0) => {
  const last = first + (costs[0]?.length ?? 0) - 1
  const costAt = (line: number, at: number) => costs[line]?.[at - first] ?? Number.NaN
  return [...(await cheapestSeam({ lines: costs.length, first, last }, costAt, neverAborted))]
}

const costOf = (costs: readonly (readonly number[])[], seam: readonly number[]) =>
  seam.reduce((sum, at, line) => sum + (costs[line]?.[at] ?? Number.NaN), 0)

/** The least cost of any seam, by trying all of them. */
const leastCost = (costs: readonly (readonly number[])[], line = 0, at?: number): number => {
  const row = costs[line]
  if (row === undefined) return 0
  const reachable = at === undefined ? [...row.keys()] : [at - 1, at, at + 1]
  return Math.min(
    ...reachable
      .filter((next) => row[next] !== undefined)
      .map((next) => (row[next] ?? 0) + leastCost(costs, line + 1, next)),
  )
}

test('a seam goes where it costs least in sum, a position a line at most', async () => {
  const costs = [
    [9, 9, 9, 0],
    [9, 9, 10, 9],
    [0, 9, 5, 9],
    [0, 9, 9, 2],
  ]

  // 0 + 9 + 5 + 2; the zeros on the left cannot be reached from above for less than 18
  expect(await seamThrough(costs)).toEqual([3, 3, 2, 3])
})

test('a seam goes straight on where it makes no difference', async () => {
  const even = [5, 5, 5]

  expect(await seamThrough([[1], [1], [1]], 7)).toEqual([7, 7, 7])
  expect(await seamThrough([even, even, [5, 4, 5]], 10)).toEqual([11, 11, 11])
})

test('of seams that cost the same, the first is taken', async () => {
  const even = [5, 5, 5]

  expect(await seamThrough([even, even])).toEqual([0, 0])
})

test('no seam costs less', async () => {
  const row = fc.array(fc.nat(9), { minLength: 4, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (costs) => {
      const seam = await seamThrough(costs)

      expect(costOf(costs, seam)).toBe(leastCost(costs))
      for (const [line, at] of seam.entries()) {
        expect(Math.abs(at - (seam[line + 1] ?? at))).toBeLessThanOrEqual(1)
      }
    }),
  )
})
