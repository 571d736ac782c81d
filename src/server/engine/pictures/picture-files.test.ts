import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImageCodec } from '#server/storage/thumbnails/image-codec.ts'
import { fileOfSize, type SizedFormat } from '#testing/library/file-of-size.ts'
import { pictureOf, rowsOf } from '#testing/library/pictures.ts'
import { writeBmp } from '#testing/library/write-bmp.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { encodePng, thumbnailOf } from './encode-png.ts'
import { bandsOf, type Picture, type PictureMode } from './picture.ts'
import { readPicture } from './read-picture.ts'
import { readResized, resize, type Size } from './resample/resize.ts'

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

test.each(samples)('%s survives writing and reading a PNG unchanged', async (_mode, picture) => {
  expect(await read(await encodePng(picture))).toEqual(picture)
})

/** Draws waves and gradients, larger than a thumbnail. */
const largePicture = (mode: PictureMode): Picture => {
  const [width, height] = [700, 450]
  const highest = mode === 'I' ? 65_535 : 255
  const values = Array.from({ length: width * height * bandsOf[mode] }, (_, at) =>
    Math.round((highest * (1 + Math.sin(at / 97) * Math.cos(at / 50_000))) / 2),
  )
  const data = mode === 'I' ? Int32Array.from(values) : Uint8Array.from(values)
  return { mode, width, height, data }
}

test.each<PictureMode>(['L', 'LA', 'RGB', 'RGBA', 'I'])(
  '%s: draws the same thumbnail from pixels as from the encoded PNG',
  async (mode) => {
    const picture = largePicture(mode)
    const path = await stored(await encodePng(picture))
    const { thumbnail, thumbhash } = await openImageCodec({ maxPixels: 1e6 }).decode(path)

    const made = await thumbnailOf(picture)

    expect([...made.thumbhash]).toEqual([...thumbhash])
    expect(Buffer.from(made.thumbnail).equals(Buffer.from(thumbnail))).toBe(true)
  },
)

test.each<PictureMode>(['CMYK', 'YCbCr', 'LAB', 'HSV', 'F'])(
  'refuses to write %s as PNG',
  async (mode) => {
    const picture = pictureOf(mode, [
      [mode === 'F' ? 1 : mode === 'CMYK' ? [1, 2, 3, 4] : [1, 2, 3]],
    ])

    await expect(encodePng(picture)).rejects.toMatchObject({
      message: `cannot write mode ${mode} as PNG`,
      type: 'ImageFileSaveException',
    })
  },
)

test('clips values beyond 16 bits when it writes', async () => {
  const { data } = await read(await encodePng(pictureOf('I', [[-5, 70_000]])))

  expect(data).toEqual(Int32Array.of(0, 65_535))
})

const red = { create: { width: 3, height: 2, channels: 3, background: '#f00' } } as const

test.each<[SizedFormat, number]>([
  ['AVIF', 5000],
  ['GIF', 8000],
  ['JPEG', 14_000],
  ['PNG', 14_000],
  ['interlaced PNG', 9000],
  ['lossless WebP', 7000],
  ['lossy WebP', 7000],
  ['progressive JPEG', 9000],
])('refuses to decode %s of %i x %i pixels at full size', async (format, size) => {
  await expect(read(await fileOfSize(format, size), 200_000_000)).rejects.toThrow(
    new RegExp(`Decoding ${size} x ${size} pixels .* takes \\d+ MB .* the limit is 440 MB`),
  )
})

test('shrinks while decoding what is too large to decode at full size', async () => {
  const path = await stored(await fileOfSize('PNG', 14_000))
  const options = { maxPixels: 200_000_000 }

  // The file has no pixel data. The error shows that decoding was attempted.
  await expect(
    readResized(path, options, () => ({ width: 1000, height: 1000 }), 'lanczos'),
  ).rejects.toThrow('its pixels cannot be read')
})

test('reads a photo upright', async () => {
  const turned = await sharp(red).jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer()

  expect(await read(turned)).toMatchObject({ mode: 'RGB', width: 2, height: 3 })
})

/** Bands, sizes, profiles and orientations of common files. */
const photographs: [string, () => Promise<Buffer>][] = [
  ['RGB', () => photograph().png().toBuffer()],
  [
    'RGBA',
    () =>
      photograph()
        .composite([{ input: hole }])
        .ensureAlpha(0.5)
        .png()
        .toBuffer(),
  ],
  ['gray', () => photograph().toColourspace('b-w').png().toBuffer()],
  ['gray with alpha', () => photograph().toColourspace('b-w').ensureAlpha(0.5).png().toBuffer()],
  ['gray of 16 bits', () => photograph().toColourspace('grey16').png().toBuffer()],
  ['RGB of 16 bits', () => photograph().toColourspace('rgb16').png().toBuffer()],
  ['a palette', () => photograph().png({ palette: true }).toBuffer()],
  ['another profile', () => photograph().withIccProfile('p3').png().toBuffer()],
  ['CMYK', () => photograph().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()],
  ['WebP', () => photograph().webp({ quality: 95 }).toBuffer()],
  ['TIFF', () => photograph().tiff().toBuffer()],
  ['BMP', () => bmpOf(photograph())],
  ['AVIF', () => photograph().avif({ effort: 0 }).toBuffer()],
  ...Array.from({ length: 8 }, (_, at): [string, () => Promise<Buffer>] => [
    `orientation ${at + 1}`,
    () =>
      photograph()
        .withMetadata({ orientation: at + 1 })
        .jpeg({ quality: 95 })
        .toBuffer(),
  ]),
]

const [wide, tall] = [96, 64]
const hole = { create: { width: 20, height: 20, channels: 4, background: '#0000' } } as const

const bmpOf = async (picture: Sharp): Promise<Buffer> => {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  return writeBmp(info, (x, y) => {
    const at = (y * info.width + x) * 3
    return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0, 255]
  })
}

/** Draws gradients and waves, so that a shift by one pixel is detected. */
const photograph = () => {
  const bands = Array.from({ length: wide * tall }, (_, at) => {
    const [x, y] = [at % wide, Math.floor(at / wide)]
    return [2 * x, 3 * y, 128 + Math.round(100 * Math.sin(x / 5) * Math.cos(y / 7))]
  })
  return sharp(Uint8Array.from(bands.flat()), { raw: { width: wide, height: tall, channels: 3 } })
}

test.each(photographs)('shrinks %s while decoding like after decoding', async (_, draw) => {
  const path = await stored(await draw())
  const whole = await readPicture(path, { maxPixels: 10_000 })

  for (const [mode, factor] of [
    ['lanczos', 0.5],
    ['bicubic', 0.3],
    ['bilinear', 0.11],
  ] as const) {
    const sizeOf = ({ width, height }: Size) => ({
      width: Math.trunc(width * factor),
      height: Math.trunc(height * factor),
    })
    const options = { maxPixels: 10_000 }
    const atOnce = await readResized(path, options, sizeOf, mode)
    const inTwo = await resize(whole, sizeOf(whole), mode)

    expect({ ...atOnce, data: null }).toEqual({ ...inTwo, data: null })
    const differences = Array.from(atOnce.data, (value, at) =>
      Math.abs(value - (inTwo.data[at] ?? 0)),
    )
    expect(Math.max(...differences)).toBeLessThanOrEqual(3)
  }
})

test('converts a palette to its colors', async () => {
  const indexed = await sharp(red).png({ palette: true }).toBuffer()

  expect(rowsOf(await read(indexed))).toEqual(Array(2).fill(Array(3).fill([255, 0, 0])))
})

test('converts colors of another profile to sRGB, because the profile is dropped', async () => {
  const green = { create: { ...red.create, background: '#0f0' } }
  const wide = await sharp(green).withIccProfile('p3').png().toBuffer()

  const { data } = await read(wide)

  // The same green has a red value of 117 in P3.
  expect(data[0]).toBeLessThan(10)
  expect(data[1]).toBeGreaterThan(250)
})

test('does not convert colors of an sRGB profile', async () => {
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

test('refuses a picture with too many pixels before decoding', async () => {
  await expect(read(await sharp(red).png().toBuffer(), 5)).rejects.toThrow(/^3 x 2 pixels are more/)
})

test('refuses a truncated file', async () => {
  const whole = await sharp({ create: { ...red.create, width: 30, height: 30 } })
    .png({ compressionLevel: 0 })
    .toBuffer()

  await expect(read(whole.subarray(0, whole.length / 2))).rejects.toThrow(/damaged/)
})

test('reports a missing file as a missing image', async () => {
  await expect(readPicture(join(folder, 'none.png'), { maxPixels: 9 })).rejects.toMatchObject({
    type: 'ImageFileNotFoundException',
  })
})

test('refuses a file that is not an image', async () => {
  await expect(read(Buffer.from('words'))).rejects.toMatchObject({ type: 'UnidentifiedImageError' })
})

test("reads more pixels than sharp's default limit", async () => {
  const side = 2 ** 14
  const data = new Uint8Array(side ** 2)

  const png = await encodePng({ mode: 'L', width: side, height: side, data })

  expect(await sharp(png, { limitInputPixels: false }).metadata()).toMatchObject({ width: side })
})
