import { expect, test } from 'vitest'
import { swipeOf } from './swipe.ts'

test.each([
  { dx: -120, dy: 10, ms: 600, swipe: 'next' },
  { dx: 120, dy: 10, ms: 600, swipe: 'previous' },
  { dx: -40, dy: 5, ms: 80, swipe: 'next' },
  { dx: -40, dy: 5, ms: 600, swipe: null },
  { dx: -120, dy: 110, ms: 300, swipe: null },
  { dx: 10, dy: 120, ms: 600, swipe: 'down' },
  { dx: 0, dy: 40, ms: 80, swipe: 'down' },
  { dx: 10, dy: -120, ms: 100, swipe: null },
  { dx: 0, dy: 0, ms: 0, swipe: null },
])('recognizes $dx, $dy px in $ms ms as $swipe', ({ swipe, ...stroke }) => {
  expect(swipeOf(stroke)).toBe(swipe)
})
