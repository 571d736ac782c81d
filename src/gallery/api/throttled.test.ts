import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttled } from './throttled.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('runs the first call at once and later ones together at the end', () => {
  const run = vi.fn()
  const ask = throttled(run, 1000)

  ask()
  ask()
  ask()
  expect(run).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)

  expect(run).toHaveBeenCalledTimes(2)
})

test('runs at once again after a pause', () => {
  const run = vi.fn()
  const ask = throttled(run, 1000)

  ask()
  vi.advanceTimersByTime(1000)
  ask()

  expect(run).toHaveBeenCalledTimes(2)
})

test('runs a burst at once without raising the average rate', () => {
  const run = vi.fn()
  const ask = throttled(run, 1000, 3)

  for (let call = 0; call < 5; call += 1) ask()
  expect(run).toHaveBeenCalledTimes(3)
  for (let second = 0; second < 10; second += 1) {
    vi.advanceTimersByTime(1000)
    ask()
  }

  expect(run).toHaveBeenCalledTimes(13)
})

test('allows another burst after a pause', () => {
  const run = vi.fn()
  const ask = throttled(run, 1000, 2)

  for (let call = 0; call < 2; call += 1) ask()
  vi.advanceTimersByTime(5000)
  for (let call = 0; call < 3; call += 1) ask()

  expect(run).toHaveBeenCalledTimes(4)
})
