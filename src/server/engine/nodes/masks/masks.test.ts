import { expect, test } from 'vitest'
import type { Picture } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

const pixel: Picture[] = [
  pictureOf('L', [[7]]),
  pictureOf('LA', [[[1, 7]]]),
  pictureOf('RGB', [[[1, 2, 7]]]),
  pictureOf('RGBA', [[[1, 2, 3, 7]]]),
]

test.each(pixel)('the last channel of $mode becomes a mask', async (image) => {
  expect(await runPictureNode('tomask', { image })).toEqual(pictureOf('L', [[7]]))
  expect(await runPictureNode('tomask', { image, invert: true })).toEqual(pictureOf('L', [[248]]))
})

test('16 bits are cut to 8 in a mask', async () => {
  const image = pictureOf('I', [[5, 60_000]])

  expect(await runPictureNode('tomask', { image })).toEqual(pictureOf('L', [[5, 255]]))
})

test('masks are multiplied by their grey, truncated, as far as both reach', async () => {
  const mask1 = pictureOf('L', [[255, 128, 0, 255]])
  // Greys of 255, 128 and 76: 0.299 of 255
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

test('a mask of a colour is white nearer than 100', async () => {
  const image = pictureOf('RGBA', [
    [
      [255, 0, 0, 255],
      [195, 79, 0, 255], // 60 and 79 away: 99.2
      [195, 80, 0, 255], // 60 and 80: 100
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
])('a threshold of %d makes the colour itself %d', async (threshold, grey) => {
  const image = pictureOf('RGB', [[[255, 0, 0]]])

  expect(await runPictureNode('mask_from_id', { image, color: red, threshold })).toEqual(
    pictureOf('L', [[grey]]),
  )
})

test('the grey of a mask becomes the alpha of an image, in place of its own', async () => {
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

test('a mask of another size is refused', async () => {
  const image = pictureOf('RGB', [[[1, 2, 3]]])
  const mask = pictureOf('L', [[0], [0]])

  await expect(runPictureNode('apply_mask_to_image', { image, mask })).rejects.toMatchObject({
    message: 'size mismatch',
    type: 'ValueError',
  })
})

test('what is transparent is filled with grey, what is half transparent is mixed with it', async () => {
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

test('what is transparent takes any colour', async () => {
  const image = pictureOf('RGBA', [[[9, 9, 9, 0]], [[9, 9, 9, 0]]])
  const color = { r: 1, g: 2, b: 3, a: 4 }

  expect(rowsOf(await runPictureNode('infill_rgba', { image, color }))).toEqual([
    [[1, 2, 3, 4]],
    [[1, 2, 3, 4]],
  ])
})
