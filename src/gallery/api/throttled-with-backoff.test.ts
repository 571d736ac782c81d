import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttledWithBackoff } from './throttled-with-backoff.ts'

let runs: number
let call: () => void
beforeEach(() => {
  vi.useFakeTimers()
  runs = 0
  const run = () => {
    runs += 1
  }
  call = throttledWithBackoff(run, 500, 8_000)
})
afterEach(() => vi.useRealTimers())

/** Calls ten times a second for so long. */
const goOnFor = (ms: number) => {
  for (let at = 0; at < ms; at += 100) {
    call()
    vi.advanceTimersByTime(100)
  }
}

test('runs the first call at once', () => {
  call()

  expect(runs).toBe(1)
})

test('runs calls within a gap once at its end', () => {
  call()
  call()
  call()
  expect(runs).toBe(1)

  vi.advanceTimersByTime(500)
  expect(runs).toBe(2)
})

test('runs about a dozen times in a minute of calls', () => {
  goOnFor(60_000)

  expect(runs).toBeLessThan(14)
  expect(runs).toBeGreaterThan(6)
})

test('runs at once with a short gap after a pause', () => {
  goOnFor(60_000)
  vi.advanceTimersByTime(20_000)
  const before = runs

  call()
  call()
  vi.advanceTimersByTime(500)

  expect(runs - before).toBe(2)
})
