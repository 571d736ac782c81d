import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLocale } from './locale.ts'
import { formatAgo } from './relative-time.ts'

beforeAll(() => setLocale('en-US'))
afterAll(() => setLocale(undefined))

const now = Date.UTC(2026, 4, 3, 12)

test.each([
  [-5_000, 'now'],
  [59_000, 'now'],
  [60_000, '1 minute ago'],
  [59 * 60_000, '59 minutes ago'],
  [3 * 3_600_000, '3 hours ago'],
])('formats a time %i ms ago', (passed, text) => {
  expect(formatAgo(now - passed, now)).toBe(text)
})

test('formats a time of an earlier day with its date', () => {
  expect(formatAgo(now - 25 * 3_600_000, now)).toContain('May 2, 2026')
})
