import { expect, test } from 'vitest'
import { withSignal } from '#server/engine/pictures/in-slices.ts'
import type { PictureMode } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf } from '#testing/library/pictures.ts'
import { toMode } from './to-mode.ts'

type Bands = number | number[]

const convert = async (from: PictureMode, pixel: Bands, to: PictureMode) => {
  const converted = await toMode(pictureOf(from, [[pixel]]), to)
  return rowsOf(converted)[0]?.[0]
}

test.each<[PictureMode, Bands, PictureMode, Bands]>([
  // (R * 19595 + G * 38470 + B * 7471 + 32768) >> 16
  ['RGB', [255, 0, 0], 'L', 76],
  ['RGB', [0, 255, 0], 'L', 150],
  ['RGB', [0, 0, 255], 'L', 29],
  ['RGBA', [255, 255, 255, 0], 'L', 255],
  ['RGBA', [0, 255, 0, 7], 'LA', [150, 7]],
  ['RGBA', [1, 2, 3, 4], 'RGB', [1, 2, 3]],
  ['RGB', [1, 2, 3], 'RGBA', [1, 2, 3, 255]],
  ['RGB', [0, 0, 255], 'LA', [29, 255]],
  ['L', 9, 'LA', [9, 255]],
  ['L', 9, 'RGB', [9, 9, 9]],
  ['L', 9, 'RGBA', [9, 9, 9, 255]],
  ['LA', [9, 5], 'L', 9],
  ['L', 9, 'YCbCr', [9, 128, 128]],
  ['LA', [9, 5], 'CMYK', [0, 0, 0, 246]],
  ['LA', [9, 5], 'HSV', [0, 0, 9]],
  ['LA', [9, 5], 'RGB', [9, 9, 9]],
  ['LA', [9, 5], 'RGBA', [9, 9, 9, 5]],
])('converts %s %j to %s %j', async (from, pixel, to, expected) => {
  expect(await convert(from, pixel, to)).toEqual(expected)
})

test.each<[PictureMode, Bands, PictureMode, Bands]>([
  ['L', 200, 'I', 200],
  ['RGB', [0, 255, 0], 'I', 150],
  ['I', 200, 'L', 200],
  ['I', 65_535, 'L', 255],
  ['I', 65_535, 'RGB', [255, 255, 255]],
  ['I', 65_535, 'F', 65_535],
  ['F', -3.5, 'L', 0],
  ['F', 7.9, 'L', 7],
  ['F', 300.5, 'I', 300],
  // (299 * 10 + 587 * 20 + 114 * 40) / 1000
  ['RGB', [10, 20, 40], 'F', Math.fround(19.29)],
])('converts %s %j to %s %j and clips to bytes', async (from, pixel, to, expected) => {
  expect(await convert(from, pixel, to)).toEqual(expected)
})

test.each<[number[], number[]]>([
  [
    [255, 0, 0],
    [0, 255, 255],
  ],
  [
    [0, 255, 0],
    [85, 255, 255],
  ],
  [
    [0, 0, 255],
    [170, 255, 255],
  ],
  [
    [128, 128, 128],
    [0, 0, 128],
  ],
  // s = 150 / 200, h = (1 - 2/3) / 6, times 255 and truncated.
  [
    [200, 100, 50],
    [14, 191, 200],
  ],
])('converts RGB %j to HSV %j and back', async (rgb, hsv) => {
  expect(await convert('RGB', rgb, 'HSV')).toEqual(hsv)
  expect(await convert('HSV', hsv, 'RGB')).toEqual(rgb)
})

test.each<[number[], number[]]>([
  [
    [255, 255, 255],
    [255, 128, 128],
  ],
  [
    [0, 0, 0],
    [0, 128, 128],
  ],
  // 76.2; 128 - 43.03, rounded down; 128 + 127.5, rounded down
  [
    [255, 0, 0],
    [76, 84, 255],
  ],
])('converts RGB %j to YCbCr %j', async (rgb, ycbcr) => {
  expect(await convert('RGB', rgb, 'YCbCr')).toEqual(ycbcr)
})

test('clamps YCbCr to the range of RGB', async () => {
  // 76 + 1.402 * 127; 76 + 15.1 - 90.7; 76 - 78
  expect(await convert('YCbCr', [76, 84, 255], 'RGB')).toEqual([254, 0, 0])
})

test('inverts RGB to CMYK, and black ink darkens all bands', async () => {
  expect(await convert('RGB', [10, 20, 30], 'CMYK')).toEqual([245, 235, 225, 0])
  expect(await convert('CMYK', [0, 128, 255, 51], 'RGB')).toEqual([204, 102, 0])
})

test.each<[string, number[], number[]]>([
  ['white', [255, 255, 255], [255, 128, 128]],
  ['black', [0, 0, 0], [0, 128, 128]],
  // L* 54.29, a* 80.80, b* 69.89 (D50)
  ['red', [255, 0, 0], [138, 209, 198]],
  // L* 29.57, a* 68.30, b* -112.03
  ['blue', [0, 0, 255], [75, 196, 16]],
])('converts %s to LAB with D50', async (_name, rgb, lab) => {
  expect(await convert('RGB', rgb, 'LAB')).toEqual(lab)
})

test('returns every gray from LAB within one step', async () => {
  const grays = pictureOf('RGB', [Array.from({ length: 256 }, (_, v) => [v, v, v])])

  const back = await toMode(await toMode(grays, 'LAB'), 'RGB')

  const farthest = Math.max(
    ...back.data.map((value, at) => Math.abs(value - (grays.data[at] ?? 0))),
  )
  expect(farthest).toBeLessThanOrEqual(1)
})

test('stops when it is canceled', async () => {
  const canceled = AbortSignal.abort(new Error('canceled'))
  const converted = withSignal(canceled, () => toMode(pictureOf('L', [[1]]), 'RGB'))

  await expect(converted).rejects.toThrow('canceled')
})
