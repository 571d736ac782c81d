import { expect, test } from 'vitest'
import { actualSizeScale, fitBox, maxScale, percentOf, wheelFactor } from './fit-box.ts'

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
