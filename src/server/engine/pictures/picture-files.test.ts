import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pictureOf, rowsOf } from '#testing/pictures.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { encodePng } from './encode-png.ts'
import type { Picture, PictureMode } from './picture.ts'
import { readPicture } from './read-picture.ts'

let folder = ''
let fileCount = 0

beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => removeFolder(folder))

const stored = async (bytes: Uint8Array): Promise<string> => {
  const path = join(folder, `${fileCount++}.png`)
  await writeFile(path, bytes)
  return path
}

const read = async (bytes: Uint8Array, maxPixels = 1000) =>
  readPicture(await stored(bytes), { maxPixels })

const samples: [PictureMode, Picture][] = [
  ['L', pictureOf('L', [[0, 128, 255]])],
  [
    'LA',
    pictureOf('LA', [
      [
        [200, 0],
        [10, 77],
        [0, 255],
      ],
    ]),
  ],
  ['RGB', pictureOf('RGB', [[[1, 2, 3]], [[250, 128, 0]]])],
  ['RGBA', pictureOf('RGBA', [[[1, 2, 3, 0]], [[250, 128, 0, 77]]])],
  ['I', pictureOf('I', [[0, 255, 256, 65_535]])],
]

test.each(samples)('%s is written as PNG and read again as it was', async (_mode, picture) => {
  expect(await read(await encodePng(picture))).toEqual(picture)
})

test.each<PictureMode>(['CMYK', 'YCbCr', 'LAB', 'HSV', 'F'])('PNG cannot hold %s', async (mode) => {
  const picture = pictureOf(mode, [[mode === 'F' ? 1 : mode === 'CMYK' ? [1, 2, 3, 4] : [1, 2, 3]]])

  await expect(encodePng(picture)).rejects.toMatchObject({
    message: `cannot write mode ${mode} as PNG`,
    type: 'ImageFileSaveException',
  })
})

test('numbers beyond 16 bits are cut when they are written', async () => {
  const { data } = await read(await encodePng(pictureOf('I', [[-5, 70_000]])))

  expect(data).toEqual(Int32Array.of(0, 65_535))
})

const red = { create: { width: 3, height: 2, channels: 3, background: '#f00' } } as const

test('a photograph is read upright', async () => {
  const turned = await sharp(red).jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer()

  expect(await read(turned)).toMatchObject({ mode: 'RGB', width: 2, height: 3 })
})

test('a palette becomes the colours that it names', async () => {
  const indexed = await sharp(red).png({ palette: true }).toBuffer()

  expect(rowsOf(await read(indexed))).toEqual(Array(2).fill(Array(3).fill([255, 0, 0])))
})

test('colours of another profile become those of sRGB, since the profile is not kept', async () => {
  const green = { create: { ...red.create, background: '#0f0' } }
  const wide = await sharp(green).withIccProfile('p3').png().toBuffer()

  const { data } = await read(wide)

  // In the numbers of P3 the same green has a red of 117.
  expect(data[0]).toBeLessThan(10)
  expect(data[1]).toBeGreaterThan(250)
})

test('the colours of an sRGB profile are taken as they are', async () => {
  const picture = pictureOf('RGB', [
    [
      [1, 2, 3],
      [100, 150, 200],
      [254, 129, 77],
    ],
  ])
  const profiled = await sharp(await encodePng(picture))
    .withIccProfile('srgb')
    .png()
    .toBuffer()
  const plain = await sharp(profiled, { ignoreIcc: true }).raw().toBuffer()

  expect([...(await read(profiled)).data]).toEqual([...plain])
})

test('a picture of too many pixels is refused before it is decoded', async () => {
  await expect(read(await sharp(red).png().toBuffer(), 5)).rejects.toThrow(/^3 x 2 pixels are more/)
})

test('a file that is cut off is refused', async () => {
  const whole = await sharp({ create: { ...red.create, width: 30, height: 30 } })
    .png({ compressionLevel: 0 })
    .toBuffer()

  await expect(read(whole.subarray(0, whole.length / 2))).rejects.toThrow(/damaged/)
})

test('where there is no file there is no image', async () => {
  await expect(readPicture(join(folder, 'none.png'), { maxPixels: 9 })).rejects.toMatchObject({
    type: 'ImageFileNotFoundException',
  })
})

test('what is no image is refused', async () => {
  await expect(read(Buffer.from('words'))).rejects.toMatchObject({ type: 'UnidentifiedImageError' })
})

test('a picture may have more pixels than sharp takes by itself', async () => {
  const side = 2 ** 14
  const data = new Uint8Array(side ** 2)

  const png = await encodePng({ mode: 'L', width: side, height: side, data })

  expect(await sharp(png, { limitInputPixels: false }).metadata()).toMatchObject({ width: side })
})
