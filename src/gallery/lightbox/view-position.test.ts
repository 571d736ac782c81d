import { expect, test } from 'vitest'
import { afterRemoval, formatViewPosition, neighborsOf, windowsAround } from './view-position.ts'

test.each([
  { viewPosition: { at: 5 }, total: 10, previous: 4, next: 6 },
  { viewPosition: { at: 0 }, total: 10, previous: null, next: 1 },
  { viewPosition: { at: 9 }, total: 10, previous: 8, next: null },
  { viewPosition: { at: 0 }, total: 1, previous: null, next: null },
  { viewPosition: { before: 5 }, total: 9, previous: 4, next: 5 },
  { viewPosition: { before: 0 }, total: 9, previous: null, next: 0 },
  { viewPosition: { before: 9 }, total: 9, previous: 8, next: null },
  { viewPosition: { before: 0 }, total: 0, previous: null, next: null },
])(
  'returns the neighbors $previous and $next for $viewPosition of $total',
  ({ viewPosition, total, ...neighbors }) => {
    expect(neighborsOf(viewPosition, total)).toEqual(neighbors)
  },
)

test('returns the next image after a removal, or the previous one at the end', () => {
  expect(afterRemoval({ previous: 4, next: 6 })).toBe(6)
  expect(afterRemoval({ previous: 8, next: null })).toBe(8)
  expect(afterRemoval({ previous: null, next: null })).toBeNull()
})

test.each([
  { viewPosition: { at: 5 }, total: 1000, windows: [0] },
  { viewPosition: { at: 199 }, total: 1000, windows: [0, 1] },
  { viewPosition: { at: 199 }, total: 200, windows: [0] },
  { viewPosition: { at: 200 }, total: 1000, windows: [1, 0] },
  { viewPosition: { at: 600 }, total: 0, windows: [3] },
])(
  'returns the windows $windows around $viewPosition of $total',
  ({ viewPosition, total, windows }) => {
    expect(windowsAround(viewPosition, total)).toEqual(windows)
  },
)

test('formats positions starting at one', () => {
  expect(formatViewPosition({ at: 11 }, 50_000, String)).toBe('12 of 50000')
  expect(formatViewPosition({ before: 11 }, 50_000, String)).toBe('No longer in this view')
})
