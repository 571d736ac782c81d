import { expect, test } from 'vitest'
import {
  actualSizeScale,
  fitBox,
  maxScale,
  partOf,
  percentOf,
  transformTo,
  wheelFactor,
} from './fit-box.ts'

const stage = { width: 1000, height: 800 }

test.each([
  { image: { width: 2000, height: 1000 }, fitted: { width: 1000, height: 500 } },
  { image: { width: 1000, height: 1600 }, fitted: { width: 500, height: 800 } },
  { image: { width: 64, height: 32 }, fitted: { width: 64, height: 32 } },
])('fits all of $image.width x $image.height without enlarging it', ({ image, fitted }) => {
  expect(fitBox(image, stage)).toEqual(fitted)
})

test('shows one image pixel per screen pixel at 100 %', () => {
  const image = { width: 4000, height: 2000 }
  const fitted = fitBox(image, stage)

  expect(actualSizeScale(image, fitted, 1)).toBe(4)
  expect(actualSizeScale(image, fitted, 2)).toBe(2)
  expect(percentOf(4, image, fitted, 1)).toBe(100)
})

test('limits the zoom to 800 %', () => {
  const image = { width: 4000, height: 2000 }
  const fitted = fitBox(image, stage)

  expect(percentOf(maxScale(image, fitted, 2), image, fitted, 2)).toBe(800)
})

test('returns to the start after equal wheel steps in both directions', () => {
  const step = { deltaMode: 0, ctrlKey: false }
  const there = wheelFactor({ ...step, deltaY: -100 })
  const back = wheelFactor({ ...step, deltaY: 100 })

  expect(there).toBeGreaterThan(1)
  expect(there * back).toBeCloseTo(1)
})

test('shows the same part of the next image', () => {
  const image = { width: 4000, height: 2000 }
  const placed = { image, fitted: fitBox(image, stage), stage, pixelRatio: 2 }
  const part = { percent: 200, x: 0.7, y: 0.4 }

  const shown = partOf(transformTo(part, placed), placed)

  expect(shown?.percent).toBeCloseTo(200)
  expect(shown?.x).toBeCloseTo(0.7)
  expect(shown?.y).toBeCloseTo(0.4)
})

test('keeps the next image on the stage', () => {
  const image = { width: 4000, height: 2000 }
  const placed = { image, fitted: fitBox(image, stage), stage, pixelRatio: 1 }

  const corner = transformTo({ percent: 100, x: 0, y: 1 }, placed)
  expect(corner).toEqual({ scale: 4, positionX: 0, positionY: 800 - 2000 })

  const small = { width: 100, height: 100 }
  const smallPlaced = { ...placed, image: small, fitted: small }
  expect(transformTo({ percent: 200, x: 0, y: 0 }, smallPlaced)).toEqual({
    scale: 2,
    positionX: 400,
    positionY: 300,
  })
})

test('remembers no part of an image that is not enlarged', () => {
  const image = { width: 4000, height: 2000 }
  const placed = { image, fitted: fitBox(image, stage), stage, pixelRatio: 1 }

  expect(partOf({ scale: 1, positionX: 0, positionY: 150 }, placed)).toBeNull()
})
