import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marksOf, monthIndexAt, monthsOf } from './month-marks.ts'
import { monthFrom } from './use-month-slider.ts'

const days = [
  { day: '2026-05-03', count: 10 },
  { day: '2026-05-01', count: 5 },
  { day: '2026-03-30', count: 70 },
  { day: '2025-12-24', count: 15 },
]

test('starts each month at its first day, after the starred images', () => {
  expect(monthsOf({ starred_count: 4, days })).toEqual([
    { month: '2026-05', from: 4 },
    { month: '2026-03', from: 19 },
    { month: '2025-12', from: 89 },
  ])
})

test('finds the month of each position', () => {
  const months = monthsOf({ starred_count: 4, days })

  expect([3, 4, 18, 19, 103].map((at) => monthIndexAt(months, at))).toEqual([-1, 0, 0, 1, 2])
})

test('places marks in proportion, readably spaced and within the line', () => {
  const libraries = fc.array(
    fc.record({
      year: fc.integer({ min: 1990, max: 2026 }),
      count: fc.integer({ min: 1, max: 900 }),
    }),
    { minLength: 1, maxLength: 120 },
  )
  fc.assert(
    fc.property(libraries, fc.integer({ min: 100, max: 1400 }), (all, heightPx) => {
      const sorted = all.toSorted((a, b) => b.year - a.year)
      const months = monthsOf({
        starred_count: 0,
        days: sorted.map(({ year, count }, at) => ({
          day: `${year}-${String(12 - (at % 12)).padStart(2, '0')}-01`,
          count,
        })),
      })
      const total = sorted.reduce((sum, { count }) => sum + count, 0)

      const marks = marksOf(months, total, heightPx)

      for (const [at, mark] of marks.entries()) {
        const next = marks[at + 1]
        expect(mark.yPx).toBeLessThan(heightPx)
        if (next) expect(next.yPx - mark.yPx).toBeGreaterThanOrEqual(6.9)
        if (next && (mark.year ?? next.year))
          expect(next.yPx - mark.yPx).toBeGreaterThanOrEqual(13.9)
      }
    }),
  )
})

test.each([
  ['ArrowDown', 3, 4],
  ['ArrowUp', 0, 0],
  ['PageDown', 3, 15],
  ['PageDown', 30, 35],
  ['Home', 9, 0],
  ['End', 9, 35],
  ['a', 9, null],
])('%s moves from month %i to %s', (key, from, to) => {
  expect(monthFrom(from, key, 36)).toBe(to)
})
