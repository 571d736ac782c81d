import { expect, test } from 'vitest'
import { type ProgressSample, timeLeftMs, withSample } from './time-left.ts'

const samplesOf = (...samples: [atMs: number, bytesDone: number][]): readonly ProgressSample[] =>
  samples.reduce<readonly ProgressSample[]>(
    (before, [atMs, bytesDone]) => withSample(before, { atMs, bytesDone }),
    [],
  )

test('the time left follows from the recent pace', () => {
  expect(timeLeftMs(samplesOf([0, 0], [4000, 400]), 1000)).toBe(10_000)
})

test('there is no telling from the first moments', () => {
  expect(timeLeftMs(samplesOf([0, 0], [500, 400]), 1000)).toBeNull()
  expect(timeLeftMs([], 1000)).toBeNull()
})

test('there is no telling while nothing moves', () => {
  expect(timeLeftMs(samplesOf([0, 100], [5000, 100]), 1000)).toBeNull()
})

test('what was long ago does not count', () => {
  const samples = samplesOf([0, 0], [30_000, 10], [34_000, 410])

  expect(timeLeftMs(samples, 1000)).toBe(10_000)
})

test('a setback starts the measure anew', () => {
  expect(timeLeftMs(samplesOf([0, 0], [4000, 400], [5000, 100]), 1000)).toBeNull()
})
