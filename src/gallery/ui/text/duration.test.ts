import { expect, test } from 'vitest'
import { formatDuration } from './duration.ts'

test.each([
  [0, '0:00'],
  [0.4, '0:00'],
  [5.04, '0:05'],
  [59.7, '1:00'],
  [750, '12:30'],
  [3_723, '1:02:03'],
  [36_000, '10:00:00'],
])('formats %d seconds as %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words)
})
