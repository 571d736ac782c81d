import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { gathered, systemClock, Timer, throttled } from './clock.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('runs the first call at once and later ones together at the end', () => {
  const run = vi.fn()
  const ask = throttled(systemClock, run, { gapMs: 1000 })

  ask()
  ask()
  ask()
  expect(run).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)

  expect(run).toHaveBeenCalledTimes(2)
})

test('passes all items since the last run on together', () => {
  const runs: string[][] = []
  const add = gathered<string>(systemClock, (items) => runs.push(items), { gapMs: 1000 })

  add('first')
  add('second')
  add('third')
  vi.advanceTimersByTime(1000)

  expect(runs).toEqual([['first'], ['second', 'third']])
})

test('runs at once again after a pause', () => {
  const run = vi.fn()
  const ask = throttled(systemClock, run, { gapMs: 1000 })

  ask()
  vi.advanceTimersByTime(1000)
  ask()

  expect(run).toHaveBeenCalledTimes(2)
})

test('runs a burst at once without raising the average rate', () => {
  const run = vi.fn()
  const ask = throttled(systemClock, run, { gapMs: 1000, burst: 3 })

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
  const ask = throttled(systemClock, run, { gapMs: 1000, burst: 2 })

  for (let call = 0; call < 2; call += 1) ask()
  vi.advanceTimersByTime(5000)
  for (let call = 0; call < 3; call += 1) ask()

  expect(run).toHaveBeenCalledTimes(4)
})

describe('with growing gaps', () => {
  let runs: number
  let call: () => void
  beforeEach(() => {
    runs = 0
    const run = () => {
      runs += 1
    }
    call = throttled(systemClock, run, { gapMs: 500, maxGapMs: 8_000 })
  })

  /** Calls ten times per second for this time. */
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
})

test('keeps one pending call', () => {
  const runs: string[] = []
  const timer = new Timer(systemClock)

  timer.start(100, () => runs.push('first'))
  timer.start(10, () => runs.push('second'))
  vi.advanceTimersByTime(50)
  timer.restart(100, () => runs.push('third'))
  vi.advanceTimersByTime(99)
  expect(runs).toEqual([])
  expect(timer.isActive).toBe(true)
  vi.advanceTimersByTime(1)

  expect(runs).toEqual(['third'])
  expect(timer.isActive).toBe(false)
})
