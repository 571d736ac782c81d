import { expect, test } from 'vitest'
import { actualSizeScale, fitBox, maxScale, percentOf, wheelFactor } from './fit-box.ts'

const stage = { width: 1000, height: 800 }

test.each([
  { image: { width: 2000, height: 1000 }, fitted: { width: 1000, height: 500 } },
  { image: { width: 1000, height: 1600 }, fitted: { width: 500, height: 800 } },
  { image: { width: 64, height: 32 }, fitted: { width: 64, height: 32 } },
])('$image.width x $image.height is seen whole and never enlarged', ({ image, fitted }) => {
  expect(fitBox(image, stage)).toEqual(fitted)
})

test('100 % is one pixel of the image on one of the screen', () => {
  const image = { width: 4000, height: 2000 }
  const fitted = fitBox(image, stage)

  expect(actualSizeScale(image, fitted, 1)).toBe(4)
  expect(actualSizeScale(image, fitted, 2)).toBe(2)
  expect(percentOf(4, image, fitted, 1)).toBe(100)
})

test('zoom ends at 800 %', () => {
  const image = { width: 4000, height: 2000 }
  const fitted = fitBox(image, stage)

  expect(percentOf(maxScale(image, fitted, 2), image, fitted, 2)).toBe(800)
})

test('as many steps of the wheel lead back as led in', () => {
  const step = { deltaMode: 0, ctrlKey: false }
  const there = wheelFactor({ ...step, deltaY: -100 })
  const back = wheelFactor({ ...step, deltaY: 100 })

  expect(there).toBeGreaterThan(1)
  expect(there * back).toBeCloseTo(1)
})
