import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PictureMode } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

const edge = pictureOf('L', [[0, 255]])

test('uses the bicubic filter by default', async () => {
  const size = { width: 4, height: 1 }

  // Catmull-Rom at 0.25 and 0.75 is 0.8672 and 0.2266, divided by their sum
  expect(rowsOf(await runPictureNode('img_resize', { image: edge, ...size }))).toEqual([
    [0, 53, 202, 255],
  ])
  expect(
    rowsOf(await runPictureNode('img_resize', { image: edge, ...size, resample_mode: 'bilinear' })),
  ).toEqual([[0, 64, 191, 255]])
})

test('resizes to 512 x 512 pixels by default', async () => {
  expect(await runPictureNode('img_resize', { image: edge })).toMatchObject({
    width: 512,
    height: 512,
  })
})

test.each<[PictureMode, number | number[]]>([
  ['L', 7],
  ['LA', [7, 255]],
  ['RGB', [7, 8, 9]],
  ['RGBA', [7, 8, 9, 255]],
  ['I', 7000],
])('%s retains its mode', async (mode, pixel) => {
  const image = pictureOf(mode, [[pixel, pixel]])

  const resized = await runPictureNode('img_resize', { image, width: 1, height: 2 })

  expect(resized.mode).toBe(mode)
  expect(rowsOf(resized)).toEqual([[pixel], [pixel]])
})

test.each([
  [3, 5, 1.5, 4, 7],
  [3, 5, 0.5, 1, 2],
  [10, 10, 0.39, 3, 3],
])('truncates %d x %d times %d to whole pixels', async (width, height, scale_factor, w, h) => {
  const image = { mode: 'L' as const, width, height, data: new Uint8Array(width * height) }

  expect(await runPictureNode('img_scale', { image, scale_factor })).toMatchObject({
    width: w,
    height: h,
  })
})

test('refuses a factor that leaves no pixels', async () => {
  await expect(runPictureNode('img_scale', { image: edge, scale_factor: 0.6 })).rejects.toThrow(
    'Width and height must be > 0, got 1 x 0',
  )
})

test('changes nothing for a factor of 1', async () => {
  const pixels = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 8, maxLength: 8 })
  const filter = fc.constantFrom('nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos')
  await fc.assert(
    fc.asyncProperty(pixels, filter, async (bytes, resample_mode) => {
      const image = { mode: 'RGBA' as const, width: 2, height: 1, data: Uint8Array.from(bytes) }
      const scaled = await runPictureNode('img_scale', { image, scale_factor: 1, resample_mode })

      expect([...scaled.data]).toEqual(bytes)
    }),
  )
})

test('stops resizing when it is canceled', async () => {
  const signal = AbortSignal.abort(new Error('canceled'))

  await expect(runPictureNode('img_resize', { image: edge }, { signal })).rejects.toThrow(
    'canceled',
  )
})
