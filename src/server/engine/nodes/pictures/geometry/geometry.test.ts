import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

const none = [0, 0, 0, 0]
const a = [10, 20, 30, 255]
const b = [40, 50, 60, 70]
const c = [1, 2, 3, 0]
const d = [5, 6, 7, 8]
const square = pictureOf('RGBA', [
  [a, b],
  [c, d],
])

test('crops to a box inside the image', async () => {
  const cropped = await runPictureNode('img_crop', { image: square, x: 1, width: 1, height: 2 })

  expect(rowsOf(cropped)).toEqual([[b], [d]])
})

test('makes the parts of a box outside of the image transparent', async () => {
  const box = { x: -1, y: 1, width: 4, height: 2 }

  expect(rowsOf(await runPictureNode('img_crop', { image: square, ...box }))).toEqual([
    [none, c, d, none],
    [none, none, none, none],
  ])
})

test('makes a box outside of the image transparent', async () => {
  const box = { x: 500, y: -500, width: 2, height: 1 }

  expect(rowsOf(await runPictureNode('img_crop', { image: square, ...box }))).toEqual([
    [none, none],
  ])
})

test('crops grayscale to RGBA', async () => {
  const image = pictureOf('L', [[9]])

  const cropped = await runPictureNode('img_crop', { image, width: 1, height: 1 })

  expect(cropped.mode).toBe('RGBA')
  expect(rowsOf(cropped)).toEqual([[[9, 9, 9, 255]]])
})

test('pads sides with positive numbers and crops sides with negative ones', async () => {
  const padded = await runPictureNode('img_pad_crop', {
    image: square,
    left: 1,
    top: -1,
    bottom: 1,
  })

  expect(rowsOf(padded)).toEqual([
    [none, c, d],
    [none, none, none],
  ])
})

test('restores the image when it crops the padding', async () => {
  const side = fc.integer({ min: 0, max: 5 })
  await fc.assert(
    fc.asyncProperty(side, side, side, side, async (left, right, top, bottom) => {
      const sides = { left, right, top, bottom }
      const image = await runPictureNode('img_pad_crop', { image: square, ...sides })
      const back = Object.fromEntries(Object.entries(sides).map(([name, px]) => [name, -px]))

      expect(rowsOf(await runPictureNode('img_pad_crop', { image, ...back }))).toEqual(
        rowsOf(square),
      )
    }),
  )
})

test('refuses a crop that leaves no pixels', async () => {
  await expect(runPictureNode('img_pad_crop', { image: square, left: -2 })).rejects.toThrow(
    'Width and height must be > 0, got 0 x 2',
  )
})

const white = [255, 255, 255, 255]
const base = pictureOf('RGB', [
  [
    [255, 255, 255],
    [255, 255, 255],
  ],
])
const ink = pictureOf('RGBA', [[[200, 100, 50, 255]]])

test('covers the base with the pasted image', async () => {
  const pasted = await runPictureNode('img_paste', { base_image: base, image: ink, x: 1 })

  expect(rowsOf(pasted)).toEqual([[white, [200, 100, 50, 255]]])
})

test('enlarges the canvas to hold both images', async () => {
  const at = { x: -1, y: 1 }

  const pasted = await runPictureNode('img_paste', { base_image: base, image: ink, ...at })

  expect(rowsOf(pasted)).toEqual([
    [none, white, white],
    [[200, 100, 50, 255], none, none],
  ])
})

test('retains the canvas of the base with crop', async () => {
  const at = { x: -1, y: 1, crop: true }

  const pasted = await runPictureNode('img_paste', { base_image: base, image: ink, ...at })

  expect(rowsOf(pasted)).toEqual([[white, white]])
})

test('blends translucent pixels with the base', async () => {
  const glass = pictureOf('RGBA', [[[200, 100, 0, 128]]])
  const blue = pictureOf('RGBA', [[[0, 0, 100, 255]]])

  const pasted = await runPictureNode('img_paste', { base_image: blue, image: glass })

  // 128/255 of the image and 127/255 of the base
  expect(rowsOf(pasted)).toEqual([[[100, 50, 50, 255]]])
})

test.each<[number, number[]]>([
  [0, [200, 100, 50, 255]],
  [255, white],
  // Weighted twice: by 0.8 through the mask and by the resulting alpha: 0.8 * 160 + 0.2 * 255
  [51, [179, 115, 83, 255]],
])('pastes through a mask of %d by its distance from white', async (gray, expected) => {
  const mask = pictureOf('L', [[gray]])
  const one = pictureOf('RGB', [[[255, 255, 255]]])

  const pasted = await runPictureNode('img_paste', { base_image: one, image: ink, mask })

  expect(rowsOf(pasted)).toEqual([[expected]])
})

test('refuses a mask of another size', async () => {
  const mask = pictureOf('L', [[0, 0]])

  const pasting = runPictureNode('img_paste', { base_image: base, image: ink, mask })

  await expect(pasting).rejects.toMatchObject({
    message: 'images do not match',
    type: 'ValueError',
  })
})

test.each<[string, Record<string, unknown>]>([
  ['img_crop', { image: square, width: 1000, height: 1001 }],
  ['img_pad_crop', { image: square, left: 1_000_000 }],
  ['img_paste', { base_image: base, image: ink, x: -1_000_000_000, y: 1_000_000_000 }],
  ['img_resize', { image: square, width: 1_000_001, height: 1 }],
  ['img_scale', { image: square, scale_factor: 1e9 }],
])('%s refuses more pixels than the server allows', async (type, inputs) => {
  await expect(runPictureNode(type, inputs)).rejects.toThrow(/more than this server's limit/)
})
