import { expect, test } from 'vitest'
import { type ProgressSample, speedOf, withSample } from './progress-speed.ts'

const samplesOf = (...samples: [atMs: number, amountDone: number][]): readonly ProgressSample[] =>
  samples.reduce<readonly ProgressSample[]>(
    (before, [atMs, amountDone]) => withSample(before, { atMs, amountDone }),
    [],
  )

test('computes the remaining time from the recent speed', () => {
  expect(speedOf(samplesOf([0, 0], [4000, 400]), 1000)).toEqual({
    leftMs: 10_000,
    perSecond: 100,
  })
})

test('returns null at the start', () => {
  expect(speedOf(samplesOf([0, 0], [500, 400]), 1000)).toBeNull()
  expect(speedOf([], 1000)).toBeNull()
})

test('returns null without progress', () => {
  expect(speedOf(samplesOf([0, 100], [5000, 100]), 1000)).toBeNull()
})

test('ignores old samples', () => {
  const samples = samplesOf([0, 0], [30_000, 10], [34_000, 410])

  expect(speedOf(samples, 1000)?.leftMs).toBe(10_000)
})

test('restarts the measurement after a setback', () => {
  expect(speedOf(samplesOf([0, 0], [4000, 400], [5000, 100]), 1000)).toBeNull()
})
