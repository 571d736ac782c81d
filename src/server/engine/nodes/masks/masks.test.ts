import { expect, test } from 'vitest'
import type { Picture } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

const pixel: Picture[] = [
  pictureOf('L', [[7]]),
  pictureOf('LA', [[[1, 7]]]),
  pictureOf('RGB', [[[1, 2, 7]]]),
  pictureOf('RGBA', [[[1, 2, 3, 7]]]),
]

test.each(pixel)('makes a mask of the last channel of $mode', async (image) => {
  expect(await runPictureNode('tomask', { image })).toEqual(pictureOf('L', [[7]]))
  expect(await runPictureNode('tomask', { image, invert: true })).toEqual(pictureOf('L', [[248]]))
})

test('clips 16-bit values to 8 bits in a mask', async () => {
  const image = pictureOf('I', [[5, 60_000]])

  expect(await runPictureNode('tomask', { image })).toEqual(pictureOf('L', [[5, 255]]))
})

test('multiplies the grays of masks, truncates, and crops to the common area', async () => {
  const mask1 = pictureOf('L', [[255, 128, 0, 255]])
  // Grays of 255, 128 and 76 (0.299 * 255)
  const mask2 = pictureOf('RGBA', [
    [
      [255, 255, 255, 0],
      [128, 128, 128, 255],
      [255, 0, 0, 255],
    ],
    [
      [255, 0, 0, 255],
      [255, 0, 0, 255],
      [255, 0, 0, 255],
    ],
  ])

  // 128 * 128 / 255 is 64.25
  expect(await runPictureNode('mask_combine', { mask1, mask2 })).toEqual(
    pictureOf('L', [[255, 64, 0]]),
  )
})

const red = { r: 255, g: 0, b: 0, a: 255 }

test('makes pixels nearer than 100 to a color white', async () => {
  const image = pictureOf('RGBA', [
    [
      [255, 0, 0, 255],
      [195, 79, 0, 255], // distances 60 and 79: 99.2
      [195, 80, 0, 255], // distances 60 and 80: 100
      [255, 0, 0, 155],
    ],
  ])

  expect(await runPictureNode('mask_from_id', { image, color: red })).toEqual(
    pictureOf('L', [[255, 255, 0, 0]]),
  )
  expect(await runPictureNode('mask_from_id', { image, color: red, invert: true })).toEqual(
    pictureOf('L', [[0, 0, 255, 255]]),
  )
})

test.each([
  [0, 0],
  [-5, 0],
  [1, 255],
  [511, 255],
])('a threshold of %d turns the color itself into %d', async (threshold, gray) => {
  const image = pictureOf('RGB', [[[255, 0, 0]]])

  expect(await runPictureNode('mask_from_id', { image, color: red, threshold })).toEqual(
    pictureOf('L', [[gray]]),
  )
})

test('replaces the alpha of an image with the gray of a mask', async () => {
  const image = pictureOf('RGBA', [
    [
      [1, 2, 3, 0],
      [4, 5, 6, 255],
    ],
  ])
  const mask = pictureOf('L', [[200, 0]])

  expect(rowsOf(await runPictureNode('apply_mask_to_image', { image, mask }))).toEqual([
    [
      [1, 2, 3, 200],
      [4, 5, 6, 0],
    ],
  ])
  expect(
    rowsOf(await runPictureNode('apply_mask_to_image', { image, mask, invert_mask: true })),
  ).toEqual([
    [
      [1, 2, 3, 55],
      [4, 5, 6, 255],
    ],
  ])
})

test('refuses a mask of another size', async () => {
  const image = pictureOf('RGB', [[[1, 2, 3]]])
  const mask = pictureOf('L', [[0], [0]])

  await expect(runPictureNode('apply_mask_to_image', { image, mask })).rejects.toMatchObject({
    message: 'size mismatch',
    type: 'ValueError',
  })
})

test('fills transparent pixels with gray and blends translucent ones', async () => {
  const image = pictureOf('RGBA', [
    [
      [200, 0, 0, 0],
      [200, 0, 0, 255],
      [0, 127, 255, 51],
    ],
  ])

  // A fifth of the pixel and four fifths of 127
  expect(rowsOf(await runPictureNode('infill_rgba', { image }))).toEqual([
    [
      [127, 127, 127, 255],
      [200, 0, 0, 255],
      [102, 127, 153, 255],
    ],
  ])
})

test('fills transparent pixels with any color', async () => {
  const image = pictureOf('RGBA', [[[9, 9, 9, 0]], [[9, 9, 9, 0]]])
  const color = { r: 1, g: 2, b: 3, a: 4 }

  expect(rowsOf(await runPictureNode('infill_rgba', { image, color }))).toEqual([
    [[1, 2, 3, 4]],
    [[1, 2, 3, 4]],
  ])
})
