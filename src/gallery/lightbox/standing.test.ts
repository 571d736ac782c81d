import { expect, test } from 'vitest'
import { afterRemoval, formatStanding, neighboursOf, windowsAround } from './standing.ts'

test.each([
  { standing: { at: 5 }, total: 10, previous: 4, next: 6 },
  { standing: { at: 0 }, total: 10, previous: null, next: 1 },
  { standing: { at: 9 }, total: 10, previous: 8, next: null },
  { standing: { at: 0 }, total: 1, previous: null, next: null },
  { standing: { before: 5 }, total: 9, previous: 4, next: 5 },
  { standing: { before: 0 }, total: 9, previous: null, next: 0 },
  { standing: { before: 9 }, total: 9, previous: 8, next: null },
  { standing: { before: 0 }, total: 0, previous: null, next: null },
])('beside $standing of $total stand $previous and $next', ({ standing, total, ...beside }) => {
  expect(neighboursOf(standing, total)).toEqual(beside)
})

test('when an image goes the next one is shown, at the end the one before', () => {
  expect(afterRemoval({ previous: 4, next: 6 })).toBe(6)
  expect(afterRemoval({ previous: 8, next: null })).toBe(8)
  expect(afterRemoval({ previous: null, next: null })).toBeNull()
})

test.each([
  { standing: { at: 5 }, total: 1000, windows: [0] },
  { standing: { at: 199 }, total: 1000, windows: [0, 1] },
  { standing: { at: 199 }, total: 200, windows: [0] },
  { standing: { at: 200 }, total: 1000, windows: [1, 0] },
  { standing: { at: 600 }, total: 0, windows: [3] },
])('around $standing of $total lie the windows $windows', ({ standing, total, windows }) => {
  expect(windowsAround(standing, total)).toEqual(windows)
})

test('people count from one', () => {
  expect(formatStanding({ at: 11 }, 50_000, String)).toBe('12 of 50000')
  expect(formatStanding({ before: 11 }, 50_000, String)).toBe('No longer in this view')
})
