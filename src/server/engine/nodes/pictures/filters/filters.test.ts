import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PictureMode } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

const gray = (...values: number[]) => pictureOf('L', [values])
const rgb = (...pixels: number[][]) => pictureOf('RGB', [pixels])
const rgba = (...pixels: number[][]) => pictureOf('RGBA', [pixels])
const opaque = (value: number) => [value, value, value, 255]

const box = { blur_type: 'box', radius: 1 }

test('blurs to RGBA and reduces opaque values by one', async () => {
  const blurred = await runPictureNode('img_blur', { image: gray(0, 0, 255, 0, 0), ...box })

  // A third of 255 is 85. Divided by an alpha of 1.000001 and truncated, it is 84.
  expect(blurred).toEqual(rgba(...[0, 84, 84, 84, 0].map(opaque)))
})

test('does not let transparent pixels bleed into the blur', async () => {
  const image = rgba([200, 100, 0, 255], [0, 255, 0, 0])

  // Two thirds of the left pixel, then one third: 133, 67 and 67, 33, divided by alphas of 170 and 85.
  expect(rowsOf(await runPictureNode('img_blur', { image, ...box }))).toEqual([
    [
      [199, 100, 0, 170],
      [200, 98, 0, 85],
    ],
  ])
})

test('uses a Gaussian blur of 8 pixels by default', async () => {
  const line = gray(...Array.from({ length: 41 }, (_, x) => (x < 20 ? 0 : 250)))

  const { data } = await runPictureNode('img_blur', { image: line })
  const eight = await runPictureNode('img_blur', { image: line, radius: 8, blur_type: 'gaussian' })

  expect(eight.data).toEqual(data)
  // One standard deviation from the edge, measured from the pixel center: 86 % of the step.
  expect(Math.abs((data[28 * 4] ?? 0) - 250 * 0.856)).toBeLessThan(5)
})

// A Gaussian kernel of this radius is 1 3 6 7 6 3 1, divided by 27.
const gaussian = { radius: Math.SQRT2 }
const bump = [100, 100, 100, 100, 181, 100, 100, 100, 100]

test.each<[PictureMode, (value: number) => number | number[]]>([
  ['L', (value) => value],
  ['LA', (value) => [value, 9]],
  ['RGB', (value) => [value, value, value]],
  ['RGBA', (value) => [value, value, value, 9]],
])('sharpens %s in its mode and preserves the alpha', async (mode, pixelOf) => {
  const image = pictureOf(mode, [bump.map(pixelOf)])

  const sharpened = await runPictureNode('unsharp_mask', { image, ...gaussian, strength: 51 })

  // The blurred bump is 103 109 118 121 118 109 103. 0.51 of the difference is added, then truncated.
  const expected = [100, 98, 95, 90, 211, 90, 95, 98, 100]
  expect(sharpened.mode).toBe(mode)
  expect(rowsOf(sharpened)).toEqual([expected.map(pixelOf)])
})

test('clamps sharpened values to a byte', async () => {
  const image = gray(0, 0, 0, 0, 243, 0, 0, 0, 0)

  const sharpened = await runPictureNode('unsharp_mask', { image, ...gaussian, strength: 100 })

  expect(rowsOf(sharpened)).toEqual([[0, 0, 0, 0, 255, 0, 0, 0, 0]])
})

const factors = ['color', 'contrast', 'brightness', 'sharpness']

test('changes nothing with factors of 1', async () => {
  const mode = fc.constantFrom<PictureMode>('L', 'LA', 'RGB', 'RGBA')
  const bytes = fc.uint8Array({ minLength: 36, maxLength: 36 })
  await fc.assert(
    fc.asyncProperty(mode, bytes, async (picked, data) => {
      const width = { L: 12, LA: 6, RGB: 4, RGBA: 3 }[picked as 'L']
      const image = { mode: picked, width, height: 3, data }

      expect(await runPictureNode('invokeai_img_enhance', { image })).toEqual(image)
    }),
  )
})

test.each<[string, number, number[][], number[][]]>([
  ['color', 0, [[255, 0, 0]], [[76, 76, 76]]],
  // Halfway between gray and the color, truncated.
  ['color', 0.5, [[255, 0, 0]], [[165, 38, 38]]],
  // Twice the distance from gray.
  ['color', 2, [[150, 100, 100]], [[185, 85, 85]]],
  // The mean of all grays is 127.5, rounded up.
  [
    'contrast',
    0,
    [
      [0, 0, 0],
      [255, 255, 255],
    ],
    [
      [128, 128, 128],
      [128, 128, 128],
    ],
  ],
  [
    'contrast',
    2,
    [
      [90, 90, 90],
      [110, 110, 110],
    ],
    [
      [80, 80, 80],
      [120, 120, 120],
    ],
  ],
  ['brightness', 0.5, [[201, 100, 0]], [[100, 50, 0]]],
  ['brightness', 2, [[200, 100, 0]], [[255, 200, 0]]],
])('%s times %d turns %j into %j', async (factor, value, from, to) => {
  const enhanced = await runPictureNode('invokeai_img_enhance', {
    image: rgb(...from),
    [factor]: value,
  })

  expect(rowsOf(enhanced)).toEqual([to])
})

test.each([
  // The center has a weight of 5 of 13. Border pixels have no neighbors and do not change.
  [0, 50],
  [2, 210],
])('sharpness times %d turns a dot of 130 into %d', async (sharpness, dot) => {
  const withDot = (value: number) => [
    [0, 0, 0],
    [0, value, 0],
    [0, 0, 0],
  ]
  const image = pictureOf('L', withDot(130))

  const enhanced = await runPictureNode('invokeai_img_enhance', { image, sharpness })

  expect(rowsOf(enhanced)).toEqual(withDot(dot))
})

test.each(factors)('%s preserves the alpha', async (factor) => {
  const image = rgba([200, 100, 50, 0], [1, 2, 3, 77], [9, 8, 7, 255])

  const { data } = await runPictureNode('invokeai_img_enhance', { image, [factor]: 0.3 })

  expect([data[3], data[7], data[11]]).toEqual([0, 77, 255])
})

test('inverts before it enhances, and drops the alpha', async () => {
  const image = rgba([255, 155, 55, 9])

  const negative = await runPictureNode('invokeai_img_enhance', {
    image,
    invert: true,
    brightness: 0.5,
  })

  expect(negative).toEqual(rgb([0, 50, 100]))
})
