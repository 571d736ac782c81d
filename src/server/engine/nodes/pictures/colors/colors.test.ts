import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodePng } from '#server/engine/pictures/encode-png.ts'
import type { PictureMode } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

const gray = (...values: number[]) => pictureOf('L', [values])
const rgb = (...pixels: number[][]) => pictureOf('RGB', [pixels])
const rgba = (...pixels: number[][]) => pictureOf('RGBA', [pixels])

const levels = fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)])
const everyByte = gray(...Array(256).keys())

test.each([
  [100, 200, [0, 128, 255], [100, 150, 200]],
  [200, 100, [0, 128, 255], [200, 149, 100]],
  [7, 7, [0, 255], [7, 7]],
])('lerp to %d..%d turns %j into %j', async (min, max, from, to) => {
  expect(rowsOf(await runPictureNode('img_lerp', { image: gray(...from), min, max }))).toEqual([to])
})

test.each([
  [50, 100, [40, 50, 75, 100, 200], [0, 0, 127, 255, 255]],
  [100, 50, [40, 75, 200], [255, 127, 0]],
  [100, 100, [99, 100, 101], [0, 0, 255]],
])('ilerp from %d..%d turns %j into %j', async (min, max, from, to) => {
  expect(rowsOf(await runPictureNode('img_ilerp', { image: gray(...from), min, max }))).toEqual([
    to,
  ])
})

test.each(['img_lerp', 'img_ilerp'])(
  '%s over the full range changes no byte by more than 1',
  async (type) => {
    const { data } = await runPictureNode(type, { image: everyByte })

    expect(Math.max(...data.map((value, at) => Math.abs(value - at)))).toBeLessThanOrEqual(1)
  },
)

test('lerp changes the alpha like the colors', async () => {
  const image = rgba([0, 255, 0, 0])

  const squeezed = await runPictureNode('img_lerp', { image, min: 10, max: 20 })

  expect(rowsOf(squeezed)).toEqual([[[10, 20, 10, 10]]])
})

test('lerp stays within its range and preserves the order of values', async () => {
  await fc.assert(
    fc.asyncProperty(levels, async ([min = 0, max = 255]) => {
      const { data } = await runPictureNode('img_lerp', { image: everyByte, min, max })

      expect(Math.min(...data)).toBeGreaterThanOrEqual(min)
      expect(Math.max(...data)).toBeLessThanOrEqual(max)
      expect([...data].every((value, at) => at === 0 || value >= (data[at - 1] ?? 0))).toBe(true)
    }),
  )
})

test('ilerp reverses lerp up to the precision of the narrower range', async () => {
  await fc.assert(
    fc.asyncProperty(
      levels.filter(([min = 0, max = 0]) => max - min >= 16),
      async ([min = 0, max = 255]) => {
        const image = await runPictureNode('img_lerp', { image: everyByte, min, max })
        const { data } = await runPictureNode('img_ilerp', { image, min, max })

        const farthest = Math.max(...data.map((value, at) => Math.abs(value - at)))
        expect(farthest).toBeLessThanOrEqual(255 / (max - min) + 1)
      },
    ),
  )
})

test('converts to grayscale by default', async () => {
  const image = rgb([0, 255, 0])

  expect(await runPictureNode('img_conv', { image })).toEqual(gray(150))
  expect(await runPictureNode('img_conv', { image, mode: 'HSV' })).toEqual(
    pictureOf('HSV', [[[85, 255, 255]]]),
  )
})

test.each(['CMYK', 'YCbCr', 'LAB', 'HSV', 'F'])('%s cannot be saved', async (mode) => {
  const converted = await runPictureNode('img_conv', { image: rgb([1, 2, 3]), mode })

  await expect(encodePng(converted)).rejects.toMatchObject({ type: 'ImageFileSaveException' })
})

test.each([
  [rgba([1, 2, 3, 4]), 'R', 1],
  [rgba([1, 2, 3, 4]), 'G', 2],
  [rgba([1, 2, 3, 4]), 'B', 3],
  [rgba([1, 2, 3, 4]), undefined, 4],
  [pictureOf('LA', [[[1, 2]]]), 'A', 2],
])('extracts from %j the channel %s as grayscale', async (image, channel, value) => {
  const inputs = channel === undefined ? { image } : { image, channel }

  expect(await runPictureNode('img_chan', inputs)).toEqual(gray(value))
})

test.each<[PictureMode, string]>([
  ['RGB', 'A'],
  ['L', 'R'],
  ['I', 'A'],
])('%s has no channel %s', async (mode, channel) => {
  const image = pictureOf(mode, [[mode === 'RGB' ? [1, 2, 3] : 1]])

  await expect(runPictureNode('img_chan', { image, channel })).rejects.toThrow(
    `The image has no channel "${channel}"`,
  )
})

test('multiplies images band by band, divided by 255 and truncated', async () => {
  const image1 = rgba([200, 100, 50, 255])
  const image2 = rgba([128, 255, 10, 77])

  expect(await runPictureNode('img_mul', { image1, image2 })).toEqual(rgba([100, 100, 1, 77]))
})

test('returns the product of the common area', async () => {
  const tall = pictureOf('L', [[255], [100], [50]])
  const wide = pictureOf('L', [
    [10, 20],
    [255, 40],
  ])

  const product = await runPictureNode('img_mul', { image1: tall, image2: wide })

  expect(rowsOf(product)).toEqual([[10], [100]])
})

test('refuses to multiply images of different modes', async () => {
  const multiplying = runPictureNode('img_mul', { image1: gray(1), image2: rgb([1, 2, 3]) })

  await expect(multiplying).rejects.toThrow('images do not match')
})

test.each([
  [120, [255, 0, 0], [0, 255, 0]],
  [-240, [255, 0, 0], [0, 255, 0]],
  [480, [0, 255, 0], [0, 0, 255]],
  [360, [255, 0, 0], [255, 0, 0]],
  [90, [99, 99, 99], [99, 99, 99]],
])('hues rotated by %d degrees turn %j into %j', async (hue, from, to) => {
  expect(await runPictureNode('img_hue_adjust', { image: rgb(from), hue })).toEqual(
    rgba([...to, 255]),
  )
})

test('drops the alpha when it rotates hues', async () => {
  const turned = await runPictureNode('img_hue_adjust', { image: rgba([9, 9, 9, 0]) })

  expect(rowsOf(turned)).toEqual([[[9, 9, 9, 255]]])
})
