import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttled } from './throttled.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('the first runs at once, those after it together at the end', () => {
  const run = vi.fn()
  const ask = throttled(run, 1000)

  ask()
  ask()
  ask()
  expect(run).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)

  expect(run).toHaveBeenCalledTimes(2)
})

test('after a rest it runs at once again', () => {
  const run = vi.fn()
  const ask = throttled(run, 1000)

  ask()
  vi.advanceTimersByTime(1000)
  ask()

  expect(run).toHaveBeenCalledTimes(2)
})
