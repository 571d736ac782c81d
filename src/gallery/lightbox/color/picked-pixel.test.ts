import { expect, test } from 'vitest'
import { loupeMiddle, nearestIn, pixelAt, stepOf, visiblePart } from './picked-pixel.ts'

const stage = { left: 100, top: 50, right: 900, bottom: 650 }
const size = { width: 400, height: 300 }

test('finds the pixel below a point, also at the edges of the picture', () => {
  const box = { left: 100, top: 50, right: 900, bottom: 650 }

  expect(pixelAt({ x: 100, y: 50 }, box, size)).toEqual({ x: 0, y: 0 })
  expect(pixelAt({ x: 503, y: 353 }, box, size)).toEqual({ x: 201, y: 151 })
  expect(pixelAt({ x: 900, y: 650 }, box, size)).toEqual({ x: 399, y: 299 })
})

test('finds the pixel of an enlarged picture whose edges are outside of the stage', () => {
  const box = { left: -700, top: -550, right: 2500, bottom: 1850 }

  expect(pixelAt({ x: 100, y: 50 }, box, size)).toEqual({ x: 100, y: 75 })
  expect(visiblePart(box, stage)).toEqual(stage)
})

test('keeps a point on the visible part of the picture', () => {
  const part = visiblePart({ left: 300, top: 0, right: 700, bottom: 300 }, stage)

  expect(part).toEqual({ left: 300, top: 50, right: 700, bottom: 300 })
  expect(part && nearestIn(part, { x: 0, y: 900 })).toEqual({ x: 300, y: 300 })
  expect(visiblePart({ left: 0, top: 0, right: 100, bottom: 50 }, stage)).toBeNull()
})

test('steps by a pixel of the picture, but at least by one of the screen', () => {
  expect(stepOf({ ...stage, left: 0, right: 1600 }, size)).toBe(4)
  expect(stepOf({ ...stage, left: 0, right: 100 }, size)).toBe(1)
})

test('puts the loupe above the point, or below it at the top, and never outside at the sides', () => {
  const loupe = { radius: 50, gap: 20, bar: 60 }

  expect(loupeMiddle({ x: 500, y: 400 }, stage, loupe)).toEqual({ x: 500, y: 330 })
  expect(loupeMiddle({ x: 110, y: 60 }, stage, loupe)).toEqual({ x: 150, y: 130 })
  expect(loupeMiddle({ x: 895, y: 400 }, stage, loupe)).toEqual({ x: 850, y: 330 })
})

test('lets the loupe cover the bar only if there is no room below', () => {
  const loupe = { radius: 50, gap: 20, bar: 60 }
  const low = { ...stage, bottom: 300 }

  expect(loupeMiddle({ x: 500, y: 200 }, stage, loupe)).toEqual({ x: 500, y: 270 })
  expect(loupeMiddle({ x: 500, y: 200 }, low, loupe)).toEqual({ x: 500, y: 130 })
})
