import { expect, test } from 'vitest'
import { bounded, filledBox, panned, transformOf, WHOLE, zoomedAt } from './linked-zoom.ts'

const stage = { width: 400, height: 200 }
const placed = { fitted: { width: 200, height: 200 }, stage }

test('enlarges a small image to its stage', () => {
  expect(filledBox({ width: 10, height: 10 }, stage)).toEqual({ width: 200, height: 200 })
})

test('keeps the part under the pointer in its place', () => {
  const zoom = zoomedAt(WHOLE, 4, { x: 50, y: 0 }, placed)

  // 50 pixels right of the middle is three quarters of the width.
  const shownAt = (0.75 - zoom.x) * placed.fitted.width * zoom.scale
  expect(shownAt).toBeCloseTo(50)
})

test('centers an image that is smaller than its stage', () => {
  expect(bounded({ scale: 1, x: 0.9, y: 0.1 }, placed)).toEqual(WHOLE)
})

test('stops at the edge of the image', () => {
  const zoom = panned({ scale: 4, x: 0.5, y: 0.5 }, { x: 10_000, y: 0 }, placed)

  expect(zoom.x).toBe(0.25)
})

test('shows the same part of an image of another size', () => {
  const zoom = { scale: 4, x: 0.3, y: 0.5 }
  const large = { fitted: { width: 400, height: 400 }, stage: { width: 800, height: 400 } }

  expect(transformOf(zoom, placed)).toBe('translate(-40px, -300px) scale(4)')
  expect(transformOf(zoom, large)).toBe('translate(-80px, -600px) scale(4)')
})
