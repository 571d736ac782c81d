import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import type { Picture } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

const correct = (base_image: Picture, color_reference: Picture, inputs = {}) =>
  runPictureNode('color_correct', { base_image, color_reference, ...inputs })

const opaque = (value: number) => [value, value, value, 255]
const gray = (...values: number[]) => pictureOf('L', [values])

test('matches values to the reference by rank', async () => {
  const corrected = await correct(gray(1, 2, 3, 4), gray(200, 50, 100, 150))

  expect(rowsOf(corrected)).toEqual([[50, 100, 150, 200].map(opaque)])
})

test('interpolates between two values of the reference and truncates', async () => {
  // A third of the base is at most 1. In the reference, half is at most 10 and all is at most 20.
  // Two thirds are at most 2: a third of the range from 10 to 20.
  const corrected = await correct(gray(1, 2, 3), gray(10, 20))

  expect(rowsOf(corrected)).toEqual([[10, 13, 20].map(opaque)])
})

test('returns the color of a reference with one color', async () => {
  const blue = pictureOf('RGB', [[[10, 20, 90]]])

  expect(rowsOf(await correct(gray(0, 7, 255), blue))).toEqual([
    [
      [10, 20, 90, 255],
      [10, 20, 90, 255],
      [10, 20, 90, 255],
    ],
  ])
})

test('matches each channel separately, for any size of the reference', async () => {
  const base = pictureOf('RGB', [
    [
      [0, 9, 5],
      [1, 8, 5],
    ],
  ])
  const reference = pictureOf('RGB', [
    [
      [100, 30, 0],
      [200, 40, 1],
    ],
    [
      [200, 40, 2],
      [100, 30, 3],
    ],
  ])

  expect(rowsOf(await correct(base, reference))).toEqual([
    [
      [100, 40, 3, 255],
      [200, 30, 3, 255],
    ],
  ])
})

test('does not change an image matched to itself', async () => {
  const bytes = fc.uint8Array({ minLength: 24, maxLength: 24 })
  await fc.assert(
    fc.asyncProperty(bytes, async (data) => {
      const image: Picture = { mode: 'RGBA', width: 3, height: 2, data }

      expect(await correct(image, image)).toEqual(image)
    }),
  )
})

test('retains the alpha of the base, and counts fully transparent colors too', async () => {
  const base = pictureOf('RGBA', [
    [
      [1, 1, 1, 0],
      [2, 2, 2, 77],
    ],
  ])

  expect(rowsOf(await correct(base, gray(60, 80)))).toEqual([
    [
      [60, 60, 60, 0],
      [80, 80, 80, 77],
    ],
  ])
})

test('retains the base where the mask is white, and blends where it is gray', async () => {
  const mask = gray(255, 0, 51)

  // The last pixel is a fifth of the base (30) and four fifths of the corrected value (230).
  expect(rowsOf(await correct(gray(10, 20, 30), gray(210, 220, 230), { mask }))).toEqual([
    [opaque(10), opaque(220), opaque(190)],
  ])
})

test('refuses a mask of another size', async () => {
  await expect(correct(gray(1), gray(1), { mask: gray(1, 2) })).rejects.toMatchObject({
    message: 'Mask size must match base image size.',
    type: 'ValueError',
  })
})

const red: Picture = pictureOf('RGB', [[[200, 40, 40]]])
const dim: Picture = pictureOf('RGB', [[[20, 60, 90]]])

/** Returns the three YCbCr bands of the only pixel. */
const ycbcrOf = async (picture: Picture) => [
  ...(await toMode(await toMode(picture, 'RGB'), 'YCbCr')).data,
]

// JFIF: Y = 0.299 R + 0.587 G + 0.114 B, Cb = 128 + 0.564 (B - Y), Cr = 128 + 0.713 (R - Y).
// Red is 87.8, 101, 208. Dim is 51.5, 149.7, 105.6.
test.each([
  ['YCbCr', [51.5, 149.7, 105.6]],
  ['YCbCr-Chroma', [87.8, 149.7, 105.6]],
  ['YCbCr-Luma', [51.5, 101, 208]],
])('%s takes only its own channels from the reference', async (colorspace, expected) => {
  const found = await ycbcrOf(await correct(red, dim, { colorspace }))

  // Each of the three conversions truncates.
  found.forEach((value, band) => {
    expect(Math.abs(value - (expected[band] ?? 0))).toBeLessThan(2.5)
  })
})

test('refuses an unknown color space', async () => {
  await expect(correct(red, dim, { colorspace: 'LAB' })).rejects.toThrow(/^refused: /)
})
