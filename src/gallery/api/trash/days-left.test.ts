import { expect, test } from 'vitest'
import { daysLeft } from './days-left.ts'

const now = Date.parse('2026-11-22T12:00:00Z')

test.each([
  ['2026-11-22 12:00:00.000', 30],
  ['2026-11-22 11:00:00.000', 30],
  ['2026-11-19 11:00:00.000', 27],
  ['2026-10-23 13:00:00.000', 1],
  ['2026-10-01 00:00:00.000', 0],
])('returns for an image deleted at %s %d days', (deletedAt, days) => {
  expect(daysLeft(deletedAt, 30, now)).toBe(days)
})
