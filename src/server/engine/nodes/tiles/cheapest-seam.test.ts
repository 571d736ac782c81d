import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cheapestSeam } from './cheapest-seam.ts'

const seamThrough = async (costs: readonly (readonly number[])[], first = 0) => {
  const last = first + (costs[0]?.length ?? 0) - 1
  const costAt = (line: number, at: number) => costs[line]?.[at - first] ?? Number.NaN
  return [...(await cheapestSeam({ lines: costs.length, first, last }, costAt))]
}

const costOf = (costs: readonly (readonly number[])[], seam: readonly number[]) =>
  seam.reduce((sum, at, line) => sum + (costs[line]?.[at] ?? Number.NaN), 0)

/** Returns the lowest cost of all seams, found by brute force. */
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

test('takes the cheapest seam, which moves at most one position per line', async () => {
  const costs = [
    [9, 9, 9, 0],
    [9, 9, 10, 9],
    [0, 9, 5, 9],
    [0, 9, 9, 2],
  ]

  // 0 + 9 + 5 + 2. The zeros on the left cannot be reached from above for less than 18.
  expect(await seamThrough(costs)).toEqual([3, 3, 2, 3])
})

test('continues straight if all costs are equal', async () => {
  const even = [5, 5, 5]

  expect(await seamThrough([[1], [1], [1]], 7)).toEqual([7, 7, 7])
  expect(await seamThrough([even, even, [5, 4, 5]], 10)).toEqual([11, 11, 11])
})

test('takes the first of several cheapest seams', async () => {
  const even = [5, 5, 5]

  expect(await seamThrough([even, even])).toEqual([0, 0])
})

test('finds a seam of the lowest cost', async () => {
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
