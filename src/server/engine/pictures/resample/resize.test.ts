import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { bandsOf, type Picture } from '#server/engine/pictures/picture.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { pictureOf, rowsOf } from '#testing/library/pictures.ts'
import { type ResampleMode, resampleModes } from './filters.ts'
import { resize, type Size } from './resize.ts'

const row = (...values: number[]) => pictureOf('L', [values])
const column = (...values: number[]) =>
  pictureOf(
    'L',
    values.map((value) => [value]),
  )

const weighed = resampleModes.filter((mode) => mode !== 'nearest')

test.each<[ResampleMode, number[], number[]]>([
  // Each pixel is a quarter from one pixel and three quarters from the other.
  ['bilinear', [0, 255], [0, 64, 191, 255]],
  // 1.5 d^3 - 2.5 d^2 + 1 of 0.25 and 0.75: 0.8672 and 0.2266, divided by their sum
  ['bicubic', [0, 255], [0, 53, 202, 255]],
  // sinc(d) (0.54 + 0.46 cos(pi d)): 0.7790 and 0.0644
  ['hamming', [0, 255], [0, 19, 236, 255]],
  // sinc(d) sinc(d / 3): 0.8901 and 0.2702
  ['lanczos', [0, 255], [0, 59, 196, 255]],
  ['box', [10, 90], [10, 10, 90, 90]],
  ['nearest', [10, 90], [10, 10, 90, 90]],
  ['box', [10, 20, 30, 41], [15, 36]],
  ['box', [1, 2, 4], [2, 4]],
  ['nearest', [10, 20, 30, 40], [20, 40]],
  // 0.0644 of the pixel beyond the edge, divided by 0.7790 + 0.7790 + 0.0644
  ['hamming', [0, 0, 70, 70], [3, 67]],
])('%s turns %j into %j', async (mode, from, to) => {
  const size = { width: to.length, height: 1 }

  expect(rowsOf(await resize(row(...from), size, mode))).toEqual([to])
})

test.each(resampleModes)('%s treats columns like rows', async (mode) => {
  const values = [0, 200, 13, 255, 90]

  const wide = await resize(row(...values), { width: 3, height: 1 }, mode)
  const tall = await resize(column(...values), { width: 1, height: 3 }, mode)

  expect([...tall.data]).toEqual([...wide.data])
})

test('hamming shrinks 40 rows like 40 columns', async () => {
  const values = Array.from({ length: 40 }, (_, index) => (index * 97) % 256)

  const wide = await resize(row(...values), { width: 3, height: 1 }, 'hamming')
  const tall = await resize(column(...values), { width: 1, height: 3 }, 'hamming')

  expect([...tall.data]).toEqual([...wide.data])
})

test.each<[ResampleMode, Size]>([
  ['bilinear', { width: 17, height: 12 }],
  ['bicubic', { width: 18, height: 10 }],
  ['lanczos', { width: 26, height: 19 }],
  ['hamming', { width: 2, height: 1 }],
])('%s treats each of several bands like L', async (filter, size) => {
  const from = { width: 9, height: 7 }
  for (const mode of ['RGB', 'CMYK'] as const) {
    const bands = bandsOf[mode]
    const data = Uint8Array.from({ length: 63 * bands }, (_, index) => (index * 89) % 256)
    const resized = await resize({ mode, ...from, data }, size, filter)
    for (let band = 0; band < bands; band++) {
      const ofBand = (_: number, index: number) => index % bands === band
      const one: Picture = { mode: 'L', ...from, data: data.filter(ofBand) }
      const expected = await resize(one, size, filter)
      expect(resized.data.filter(ofBand)).toEqual(expected.data)
    }
  }
})

test.each(weighed)('%s ignores the color of transparent pixels', async (mode) => {
  const picture = pictureOf('RGBA', [
    [
      [200, 100, 50, 255],
      [0, 255, 0, 0],
    ],
  ])

  const { data } = await resize(picture, { width: 1, height: 1 }, mode)

  expect(data[3]).toBe(128)
  // 255 * 25 / 128: what is divided by the alpha again is up to two steps lower.
  expect([...data.slice(0, 3)]).toEqual([199, 99, 49])
})

test('averages LA with its alpha like RGBA', async () => {
  const picture = pictureOf('LA', [
    [
      [255, 255],
      [0, 0],
    ],
  ])

  const one = await resize(picture, { width: 1, height: 1 }, 'box')

  expect(rowsOf(one)).toEqual([[[255, 128]]])
})

test('preserves the range of 16-bit grayscale and floats', async () => {
  const deep = pictureOf('I', [[60_000, 20_001]])
  const float = pictureOf('F', [[1.5, -4]])
  const one = { width: 1, height: 1 }

  expect((await resize(deep, one, 'box')).data).toEqual(Int32Array.of(40_001))
  expect((await resize(float, one, 'box')).data).toEqual(Float32Array.of(-1.25))
})

test.each(resampleModes)('%s preserves a single color at any size', async (mode) => {
  const side = fc.integer({ min: 1, max: 12 })
  const sizes = fc.record({ width: side, height: side })
  const byte = fc.integer({ min: 0, max: 255 })
  await fc.assert(
    fc.asyncProperty(sizes, sizes, byte, async (from, to, value) => {
      const data = new Uint8Array(from.width * from.height).fill(value)
      const resized = await resize({ mode: 'L', ...from, data }, to, mode)
      expect(resized.data).toEqual(new Uint8Array(to.width * to.height).fill(value))
    }),
  )
})

/** Resizes with Pillow's sums, band by band. `F` is never resized by sharp. */
const asPillow = async (picture: Picture, size: Size, mode: ResampleMode): Promise<Uint8Array> => {
  const bands = bandsOf[picture.mode]
  const data = new Uint8ClampedArray(size.width * size.height * bands)
  for (let band = 0; band < bands; band++) {
    const one = Float32Array.from(picture.data.filter((_, index) => index % bands === band))
    const resized = await resize({ ...picture, mode: 'F', data: one }, size, mode)
    resized.data.forEach((value, index) => {
      data[index * bands + band] = value
    })
  }
  return new Uint8Array(data)
}

// The share of bytes within 2 of Pillow's, as documented at `resize`.
test.each<[ResampleMode, number, number]>([
  ['bilinear', 1.37, 0.999],
  ['bicubic', 2, 0.999],
  ['lanczos', 2, 0.999],
  ['lanczos', 3, 0.999],
  ['bicubic', 8, 0.93],
  ['lanczos', 15, 0.93],
])('%s shrinks a photo to 1/%d almost like Pillow', async (mode, factor, share) => {
  const photo = await drawFile('photo.png', { kind: 'photo', widthPx: 600, heightPx: 400 })
  const { data, info } = await sharp(await photo.arrayBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true })
  const picture = { mode: 'RGB', width: info.width, height: info.height, data } as const
  const size = { width: Math.round(600 / factor), height: Math.round(400 / factor) }

  const shrunk = await resize(picture, size, mode)

  const expected = await asPillow(picture, size, mode)
  expect(shrunk.data).toHaveLength(expected.length)
  const near = expected.filter((value, at) => Math.abs(value - (shrunk.data[at] ?? -99)) <= 2)
  expect(near.length / expected.length).toBeGreaterThanOrEqual(share)
})
