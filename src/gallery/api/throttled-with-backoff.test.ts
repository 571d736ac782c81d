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

test('the first call runs at once', () => {
  call()

  expect(runs).toBe(1)
})

test('what is called meanwhile is done once, when the gap is over', () => {
  call()
  call()
  call()
  expect(runs).toBe(1)

  vi.advanceTimersByTime(500)
  expect(runs).toBe(2)
})

test('a minute of calls is some dozen runs', () => {
  goOnFor(60_000)

  expect(runs).toBeLessThan(14)
  expect(runs).toBeGreaterThan(6)
})

test('after a rest it runs at once again, and the gap is short', () => {
  goOnFor(60_000)
  vi.advanceTimersByTime(20_000)
  const before = runs

  call()
  call()
  vi.advanceTimersByTime(500)

  expect(runs - before).toBe(2)
})
