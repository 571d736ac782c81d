import { expect, test } from 'vitest'
import { withNewImagesToday } from './new-image-days.ts'

const day = (name: string, count: number) => ({ day: name, count })

test.each([
  ['to today', [day('2026-11-22', 3), day('2026-11-20', 1)], [5, 1]],
  ['to a new today above the days before', [day('2026-11-20', 1)], [2, 1]],
  ['below what a wrong clock dated later', [day('2026-11-23', 4), day('2026-11-20', 1)], [4, 2, 1]],
  ['where there was nothing', [], [2]],
])('two new images are added %s', (_, days, counts) => {
  const landed = withNewImagesToday({ starred_count: 1, days }, 2, '2026-11-22')

  expect(landed.days.map(({ count }) => count)).toEqual(counts)
  expect(landed.starred_count).toBe(1)
})

test('adds no day without new images', () => {
  expect(withNewImagesToday({ starred_count: 0, days: [] }, 0, '2026-11-22').days).toEqual([])
})
