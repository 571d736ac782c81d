import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import type { Picture } from '#server/engine/pictures/picture.ts'
import { neverAborted, pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

const correct = (base_image: Picture, color_reference: Picture, inputs = {}) =>
  runPictureNode('color_correct', { base_image, color_reference, ...inputs })

const opaque = (value: number) => [value, value, value, 255]
const grey = (...values: number[]) => pictureOf('L', [values])

test('values are spread as in the reference, by their order', async () => {
  const corrected = await correct(grey(1, 2, 3, 4), grey(200, 50, 100, 150))

  expect(rowsOf(corrected)).toEqual([[50, 100, 150, 200].map(opaque)])
})

test('a value between two of the reference lies between them, truncated', async () => {
  // A third of the base is no lighter than 1, where the reference has 10 at a half and 20 at 1;
  // two thirds are no lighter than 2: a third of the way from 10 to 20.
  const corrected = await correct(grey(1, 2, 3), grey(10, 20))

  expect(rowsOf(corrected)).toEqual([[10, 13, 20].map(opaque)])
})

test('a reference of one colour gives that colour', async () => {
  const blue = pictureOf('RGB', [[[10, 20, 90]]])

  expect(rowsOf(await correct(grey(0, 7, 255), blue))).toEqual([
    [
      [10, 20, 90, 255],
      [10, 20, 90, 255],
      [10, 20, 90, 255],
    ],
  ])
})

test('channels are matched each for itself, whatever the size of the reference', async () => {
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

test('an image matched to itself stays as it is', async () => {
  const bytes = fc.uint8Array({ minLength: 24, maxLength: 24 })
  await fc.assert(
    fc.asyncProperty(bytes, async (data) => {
      const image: Picture = { mode: 'RGBA', width: 3, height: 2, data }

      expect(await correct(image, image)).toEqual(image)
    }),
  )
})

test('the alpha of the base is kept, and colours count where it is 0 too', async () => {
  const base = pictureOf('RGBA', [
    [
      [1, 1, 1, 0],
      [2, 2, 2, 77],
    ],
  ])

  expect(rowsOf(await correct(base, grey(60, 80)))).toEqual([
    [
      [60, 60, 60, 0],
      [80, 80, 80, 77],
    ],
  ])
})

test('the base stays where the mask is white, and mixes where it is grey', async () => {
  const mask = grey(255, 0, 51)

  // Of the last pixel a fifth is the base's 30, four fifths the corrected 230.
  expect(rowsOf(await correct(grey(10, 20, 30), grey(210, 220, 230), { mask }))).toEqual([
    [opaque(10), opaque(220), opaque(190)],
  ])
})

test('a mask of another size is refused', async () => {
  await expect(correct(grey(1), grey(1), { mask: grey(1, 2) })).rejects.toMatchObject({
    message: 'Mask size must match base image size.',
    type: 'ValueError',
  })
})

const red: Picture = pictureOf('RGB', [[[200, 40, 40]]])
const dim: Picture = pictureOf('RGB', [[[20, 60, 90]]])

/** The three bands of the only pixel, in JPEG's colours. */
const ycbcrOf = async (picture: Picture) => [
  ...(await toMode(await toMode(picture, 'RGB', neverAborted), 'YCbCr', neverAborted)).data,
]

// By JFIF: 0.299 R + 0.587 G + 0.114 B; Cb and Cr are 128 and 0.564 (B - Y), 0.713 (R - Y).
// Red is 87.8, 101, 208; dim is 51.5, 149.7, 105.6.
test.each([
  ['YCbCr', [51.5, 149.7, 105.6]],
  ['YCbCr-Chroma', [87.8, 149.7, 105.6]],
  ['YCbCr-Luma', [51.5, 101, 208]],
])('%s takes only its channels from the reference', async (colorspace, expected) => {
  const found = await ycbcrOf(await correct(red, dim, { colorspace }))

  // Going there, back and there again truncates each time.
  found.forEach((value, band) => {
    expect(Math.abs(value - (expected[band] ?? 0))).toBeLessThan(2.5)
  })
})

test('a space that is none is refused', async () => {
  await expect(correct(red, dim, { colorspace: 'LAB' })).rejects.toThrow(/^refused: /)
})
