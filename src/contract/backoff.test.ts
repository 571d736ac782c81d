import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

const backoff = { firstMs: 500, longestMs: 3_000 }

test.each([
  [0, 1, 500],
  [1, 1, 1_000],
  [3, 1, 3_000],
  [5_000, 1, 3_000],
  [1, 0, 500],
  [1, 0.5, 750],
])('after %i failures with a jitter of %d, waits %i ms', (failures, random, ms) => {
  expect(backoffMs(backoff, failures, random)).toBe(ms)
})
