import { expect, test } from 'vitest'
import { withNewImagesToday } from './new-image-days.ts'

const day = (name: string, count: number) => ({ day: name, count })

test.each([
  ['to today', [day('2026-11-22', 3), day('2026-11-20', 1)], [5, 1]],
  ['to a new today above the days before', [day('2026-11-20', 1)], [2, 1]],
  ['below a later day of a wrong clock', [day('2026-11-23', 4), day('2026-11-20', 1)], [4, 2, 1]],
  ['to an empty list', [], [2]],
])('adds two new images %s', (_, days, counts) => {
  const added = withNewImagesToday({ starred_count: 1, days }, 2, '2026-11-22')

  expect(added.days.map(({ count }) => count)).toEqual(counts)
  expect(added.starred_count).toBe(1)
})

test('adds no day without new images', () => {
  expect(withNewImagesToday({ starred_count: 0, days: [] }, 0, '2026-11-22').days).toEqual([])
})
