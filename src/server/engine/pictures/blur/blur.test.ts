import { expect, test } from 'vitest'
import type { BytePicture } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf } from '#testing/library/pictures.ts'
import { boxBlur, gaussianBlur } from './blur.ts'

const row = (...values: number[]) => pictureOf('L', [values]) as BytePicture

test.each<[number, number[], number[]]>([
  [1, [0, 0, 255, 0, 0], [0, 85, 85, 85, 0]],
  // Pixels beyond an end equal the end.
  [1, [255, 0, 0, 0], [170, 85, 0, 0]],
  // One pixel and half of each neighbor, divided by two.
  [0.5, [0, 0, 200, 0, 0], [0, 50, 100, 50, 0]],
  [0, [1, 2, 3], [1, 2, 3]],
])('a box of radius %d turns %j into %j', async (radius, line, blurred) => {
  expect(rowsOf(await boxBlur(row(...line), radius))).toEqual([blurred])
})

test('repeats the end pixels for a window wider than the line', async () => {
  // 21 pixels: 10 pixels beyond the end and the first one are 0, then 90, and 9 times 30.
  const { data } = await boxBlur(row(0, 90, 30), 10)

  expect(data[0]).toBe(Math.round((90 + 9 * 30) / 21))
})

test('blurs rows and columns of each band separately', async () => {
  const dark = [0, 9, 0]
  const picture = pictureOf('RGB', [
    [dark, dark, dark],
    [dark, [90, 9, 180], dark],
    [dark, dark, dark],
  ]) as BytePicture

  const blurred = rowsOf(await boxBlur(picture, 1))

  expect(blurred.flat()).toEqual(Array(9).fill([10, 9, 20]))
})

test('approximates a Gaussian with three boxes of the same variance', async () => {
  // Three boxes of three pixels have a variance of 2.
  const blurred = await gaussianBlur(row(0, 0, 0, 0, 243, 0, 0, 0, 0), Math.SQRT2)

  expect(rowsOf(blurred)).toEqual([[0, 9, 27, 54, 63, 54, 27, 9, 0]])
})

test('a Gaussian preserves the sum and has the requested variance', async () => {
  const line = new Array(101).fill(0)
  line[50] = 255
  const { data } = await gaussianBlur(row(...line), 3)
  const at = (weigh: (x: number) => number) => data.reduce((sum, v, x) => sum + v * weigh(x), 0)

  expect(at(() => 1)).toBeGreaterThan(245)
  expect(at(() => 1)).toBeLessThan(265)
  expect(at((x) => (x - 50) ** 2) / at(() => 1)).toBeCloseTo(9, 0)
})

test.each([1e9, Number.MAX_VALUE])('a radius of %d weights both ends equally', async (radius) => {
  const near = (value: number) => expect.closeTo(value, -1)

  expect([...(await boxBlur(row(0, 9, 200), radius)).data]).toEqual(Array(3).fill(near(100)))
  expect([...(await gaussianBlur(row(0, 9, 200), radius)).data]).toEqual(Array(3).fill(near(100)))
})
