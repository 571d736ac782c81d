import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupsOf, type Observed, observeDay, STARRED } from './day-groups.ts'

const names = ['2026-05-09', '2026-05-07', '2026-05-06', '2026-05-02', '2026-04-30']

const daysOf = (counts: readonly number[]) =>
  names.flatMap((day, at) => ((counts[at] ?? 0) > 0 ? [{ day, count: counts[at] ?? 0 }] : []))

const counts = fc.array(fc.nat(30), { minLength: names.length, maxLength: names.length })

test('returns the counted groups, after the starred images', () => {
  const days = { starred_count: 3, days: daysOf([2, 0, 5]) }

  expect(groupsOf(days, 10, new Map(), 'DESC')).toEqual([
    { key: STARRED, count: 3 },
    { key: '2026-05-09', count: 2 },
    { key: '2026-05-06', count: 5 },
  ])
})

test('groups loaded images under their own day, whatever the counts are', () => {
  fc.assert(
    fc.property(counts, counts, fc.nat(150), fc.nat(150), (counted, true_, a, b) => {
      const dayAt = daysOf(true_).flatMap(({ day, count }) =>
        Array.from({ length: count }, () => day),
      )
      const observed: Observed = new Map()
      const loaded = dayAt.slice(Math.min(a, b), Math.max(a, b))
      for (const [at, day] of loaded.entries()) observeDay(observed, day, Math.min(a, b) + at)

      const groups = groupsOf(
        { starred_count: 0, days: daysOf(counted) },
        dayAt.length,
        observed,
        'DESC',
      )

      const shownAt = groups.flatMap(({ key, count }) => Array.from({ length: count }, () => key))
      expect(shownAt).toHaveLength(dayAt.length)
      expect(shownAt.slice(Math.min(a, b), Math.max(a, b))).toEqual(loaded)
    }),
  )
})

test('inserts a day without a count in date order, also in ascending views', () => {
  const observed: Observed = new Map([['2026-05-01', { first: 2, last: 2 }]])
  const days = [
    { day: '2026-04-30', count: 2 },
    { day: '2026-05-02', count: 4 },
  ]

  expect(groupsOf({ starred_count: 0, days }, 7, observed, 'ASC')).toEqual([
    { key: '2026-04-30', count: 2 },
    { key: '2026-05-01', count: 1 },
    { key: '2026-05-02', count: 4 },
  ])
})
