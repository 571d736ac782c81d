import { expect, test } from 'vitest'
import { formatTimeLeft } from './time-left.ts'

test.each([
  [400, '1 s left'],
  [8_200, '9 s left'],
  [12_000, '15 s left'],
  [61_000, '2 min left'],
  [3_700_000, '2 h left'],
])('formats %i ms as "%s"', (ms, text) => {
  expect(formatTimeLeft(ms)).toBe(text)
})
