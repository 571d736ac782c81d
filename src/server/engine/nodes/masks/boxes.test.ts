import { expect, test } from 'vitest'
import type { Picture } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

const boxOf = (x_min: number, y_min: number, x_max: number, y_max: number) => ({
  x_min,
  x_max,
  y_min,
  y_max,
})

const crop = async (image: Picture, bounding_box: unknown = null) =>
  runPictureNode('crop_image_to_bounding_box', { image, bounding_box })

const digits = pictureOf('L', [
  [1, 2, 3],
  [4, 5, 6],
])

test('crops to a box without its right and lower edge', async () => {
  expect(await crop(digits, boxOf(1, 0, 3, 1))).toEqual(pictureOf('L', [[2, 3]]))
})

test('fills the parts of a box outside of the image with black', async () => {
  expect(rowsOf(await crop(digits, boxOf(-1, 1, 1, 3)))).toEqual([
    [0, 4],
    [0, 0],
  ])
})

test('makes a box outside of the image transparent', async () => {
  const image = pictureOf('RGBA', [[[1, 2, 3, 4]]])

  expect(rowsOf(await crop(image, boxOf(5, 5, 6, 6)))).toEqual([[[0, 0, 0, 0]]])
})

test('preserves 16 bits when it crops', async () => {
  expect(await crop(pictureOf('I', [[1, 40_000]]), boxOf(1, 0, 2, 1))).toEqual(
    pictureOf('I', [[40_000]]),
  )
})

test('crops transparent pixels of any color if no box is given', async () => {
  const none = [9, 9, 9, 0]
  const seen = [0, 0, 0, 1]
  const image = pictureOf('RGBA', [
    [none, none, none],
    [none, seen, none],
    [none, none, seen],
  ])

  expect(rowsOf(await crop(image))).toEqual([
    [seen, none],
    [none, seen],
  ])
})

test.each<[Picture, Picture]>([
  [pictureOf('L', [[0, 0, 7, 0]]), pictureOf('L', [[7]])],
  [pictureOf('RGB', [[[0, 0, 0]], [[0, 0, 1]], [[0, 0, 0]]]), pictureOf('RGB', [[[0, 0, 1]]])],
  [
    pictureOf('LA', [
      [
        [5, 0],
        [0, 5],
      ],
    ]),
    pictureOf('LA', [[[0, 5]]]),
  ],
  [pictureOf('L', [[0, 0]]), pictureOf('L', [[0, 0]])],
])('crops %o to its visible pixels if there are any', async (image, expected) => {
  expect(await crop(image)).toEqual(expected)
})

test.each([
  [boxOf(2, 0, 1, 1), /refused: .*x_min \(2\) is greater than x_max \(1\)/],
  [boxOf(0, 5, 1, 4), /refused: .*y_min \(5\) is greater than y_max \(4\)/],
  [boxOf(1, 0, 1, 1), /Width and height must be > 0, got 0 x 1/],
  [boxOf(0, 0, 10_000, 10_000), /more than this server's limit/],
])('refuses the box %o', async (box, message) => {
  await expect(crop(digits, box)).rejects.toThrow(message)
})

const white = [255, 255, 255, 255]
const page = pictureOf('RGB', [
  [
    [255, 255, 255],
    [255, 255, 255],
    [255, 255, 255],
  ],
])

const paste = (source_image: Picture, bounding_box: unknown, target_image = page) =>
  runPictureNode('paste_image_into_bounding_box', { source_image, target_image, bounding_box })

test('pastes an image into its box as RGBA', async () => {
  const ink = pictureOf('L', [[8]])

  const pasted = await paste(ink, boxOf(1, 0, 2, 1))

  expect(pasted.mode).toBe('RGBA')
  expect(rowsOf(pasted)).toEqual([[white, [8, 8, 8, 255], white]])
})

test('blends translucent pixels with the target', async () => {
  const glass = pictureOf('RGBA', [
    [
      [0, 0, 0, 0],
      [0, 100, 255, 51],
    ],
  ])

  // A fifth of the source's color and four fifths of white
  expect(rowsOf(await paste(glass, boxOf(0, 0, 2, 1)))).toEqual([
    [white, [204, 224, 255, 255], white],
  ])
})

test('clips a box that exceeds the target', async () => {
  const two = pictureOf('L', [[1, 2]])

  expect(rowsOf(await paste(two, boxOf(2, 0, 4, 1)))).toEqual([[white, white, [1, 1, 1, 255]]])
  expect(rowsOf(await paste(two, boxOf(-9, 7, -7, 8)))).toEqual([[white, white, white]])
})

test('refuses an image whose size differs from its box', async () => {
  await expect(paste(digits, boxOf(0, 0, 2, 2))).rejects.toMatchObject({
    message: 'images do not match',
    type: 'ValueError',
  })
})

test('requires a box to paste into', async () => {
  await expect(paste(digits, boxOf(1, 0, 0, 0))).rejects.toThrow(/refused: .*x_min/)
  await expect(paste(digits, null)).rejects.toThrow()
})

const masked = pictureOf('L', [
  [0, 0, 0, 0, 0],
  [0, 0, 255, 0, 0],
  [0, 0, 0, 255, 0],
  [0, 0, 0, 0, 0],
])

test.each<[number, number[]]>([
  [0, [2, 1, 3, 2]],
  [1, [1, 0, 4, 3]],
  // Clamped to the image: a box may end at its width or height
  [9, [0, 0, 5, 4]],
])('a margin of %d around white pixels gives the box %j', async (margin, expected) => {
  const [x_min = 0, y_min = 0, x_max = 0, y_max = 0] = expected

  expect(await runPictureNode('get_image_mask_bounding_box', { mask: masked, margin })).toEqual({
    bounding_box: { ...boxOf(x_min, y_min, x_max, y_max), score: null },
  })
})

test('compares alpha too when it finds the box of a color', async () => {
  const mask = pictureOf('RGBA', [
    [
      [255, 0, 0, 255],
      [255, 0, 0, 9],
    ],
  ])
  const mask_color = { r: 255, g: 0, b: 0, a: 9 }

  expect(await runPictureNode('get_image_mask_bounding_box', { mask, mask_color })).toEqual({
    bounding_box: { ...boxOf(1, 0, 1, 0), score: null },
  })
})

test('returns an empty box for an empty mask', async () => {
  const mask = pictureOf('L', [[0, 254]])

  expect(await runPictureNode('get_image_mask_bounding_box', { mask, margin: 3 })).toEqual({
    bounding_box: { ...boxOf(0, 0, 0, 0), score: null },
  })
})

test('refuses a negative margin that inverts the box', async () => {
  await expect(
    runPictureNode('get_image_mask_bounding_box', { mask: masked, margin: -1 }),
  ).rejects.toThrow('x_min (3) is greater than x_max (2).')
})
