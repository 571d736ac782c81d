import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { thumbHashToApproximateAspectRatio, thumbHashToAverageRGBA } from 'thumbhash'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PictureKind } from '#demo/describe-picture.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import {
  exifBlock,
  exifType,
  jxlBox,
  putIntoJxlContainer,
  xmpPacket,
} from '#testing/library/embed-metadata.ts'
import { fileOfSize, type SizedFormat } from '#testing/library/file-of-size.ts'
import { animatedAvif, turnedHeic, turnedJxl } from '#testing/library/small-files.ts'
import { writeBmp } from '#testing/library/write-bmp.ts'
import { openImageCodec } from './image-codec.ts'
import { readHeader } from './read-header.ts'

const MAX_PIXELS = 50_000_000

const codec = openImageCodec({ maxPixels: MAX_PIXELS })
let folder = ''
let fileCount = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const stored = async (bytes: Uint8Array | string): Promise<string> => {
  const path = join(folder, `${fileCount++}.png`)
  await writeFile(path, bytes)
  return path
}

const drawn = async (kind: PictureKind, widthPx = 120, heightPx = 80) =>
  (await drawPicture({ seed: 9, kind, widthPx, heightPx })).bytes

const decode = async (bytes: Uint8Array | string) => codec.decode(await stored(bytes))

const plainBmp = writeBmp({ width: 9, height: 9 }, () => [9, 9, 9, 255]).toString('latin1')
const compressedBmp = `${plainBmp.slice(0, 30)}\x01${plainBmp.slice(31)}`

const flat = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })

test.each<[PictureKind, string]>([
  ['invokeai', 'image/png'],
  ['a1111-jpeg', 'image/jpeg'],
  ['plain-webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['animated-gif', 'image/gif'],
  ['animated-webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['tiff', 'image/tiff'],
])('detects %s by its content, regardless of its file name', async (kind, mediaType) => {
  const decoded = await decode(await drawn(kind))

  expect(decoded).toMatchObject({ mediaType, width: 120, height: 80 })
  expect(await sharp(decoded.thumbnail).metadata()).toMatchObject({
    format: 'webp',
    width: 120,
    height: 80,
  })
})

test('makes thumbnails with 384 px on the longest side', async () => {
  const { thumbnail } = await decode(await drawn('invokeai', 500, 1000))

  expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 192, height: 384 })
})

test('uses a given thumbnail and still checks the file', async () => {
  const png = await drawn('invokeai', 500, 400)
  const thumbnail = {
    ...{ thumbnail: Uint8Array.of(1, 2), thumbhash: Uint8Array.of(3) },
    fingerprint: [1, 2, 3, 4, 5],
  }

  const decoded = await codec.decode(await stored(png), { thumbnail })

  expect(decoded).toMatchObject({ ...thumbnail, mediaType: 'image/png', width: 500, height: 400 })
  expect(decoded.metadata.normal).toMatchObject({ generator: 'invokeai' })
  const cutOff = await stored(png.subarray(0, png.length - 20))
  await expect(codec.decode(cutOff, { thumbnail })).rejects.toMatchObject({ code: 'damaged_image' })
})

test('does not enlarge an image smaller than a thumbnail', async () => {
  const path = await stored(await drawn('invokeai', 40, 30))

  expect(await sharp(await codec.thumbnail(path, 768)).metadata()).toMatchObject({ width: 40 })
})

test('applies the EXIF orientation to the size and the thumbnail', async () => {
  const decoded = await decode(await drawn('photo', 300, 600))

  expect(decoded).toMatchObject({ width: 300, height: 600 })
  expect(await sharp(decoded.thumbnail).metadata()).toMatchObject({ width: 192, height: 384 })
})

test('computes a thumbhash with the color and aspect ratio of the image', async () => {
  const { thumbhash } = await decode(await flat(200, 100, '#3366cc').png().toBuffer())

  const { r, g, b } = thumbHashToAverageRGBA(thumbhash)
  expect([r, g, b].map((part) => Math.round(part * 255))).toEqual([
    expect.closeTo(0x33, -1.2),
    expect.closeTo(0x66, -1.2),
    expect.closeTo(0xcc, -1.2),
  ])
  expect(thumbHashToApproximateAspectRatio(thumbhash)).toBeGreaterThan(1.5)
  expect(thumbhash.length).toBeLessThanOrEqual(25)
})

test('accepts CMYK, 16-bit, grey, palette and transparent images', async () => {
  const picture = sharp(await drawn('invokeai'))
  const files = await Promise.all([
    picture.clone().toColourspace('cmyk').jpeg().toBuffer(),
    picture.clone().toColourspace('rgb16').png().toBuffer(),
    picture.clone().toColourspace('grey16').png().toBuffer(),
    picture.clone().greyscale().jpeg().toBuffer(),
    picture.clone().png({ palette: true }).toBuffer(),
    picture.clone().greyscale().ensureAlpha(0.5).png().toBuffer(),
    picture.clone().jpeg({ progressive: true }).toBuffer(),
    picture.clone().png({ progressive: true }).toBuffer(),
  ])

  for (const file of files) expect(await decode(file)).toMatchObject({ width: 120, height: 80 })
})

test('keeps transparency in the thumbnail', async () => {
  const clear = await sharp({
    create: { width: 50, height: 50, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.2 } },
  })
    .png()
    .toBuffer()

  expect(await sharp((await decode(clear)).thumbnail).metadata()).toMatchObject({ hasAlpha: true })
})

test.each<PictureKind>([
  'invokeai',
  'photo',
  'a1111-jpeg',
  'plain-webp',
  'gif',
  'animated-gif',
  'animated-webp',
  'avif',
  'tiff',
])(
  'refuses a truncated %s, however little is missing',
  async (kind) => {
    // Large enough that a JPEG is shrunk on load. A GIF is never shrunk on load, and takes long to draw.
    const isGif = kind === 'gif' || kind === 'animated-gif'
    const bytes = await (isGif ? drawn(kind, 250, 200) : drawn(kind, 1000, 800))

    for (const share of [0.3, 0.9, 0.999]) {
      await expect(
        decode(bytes.subarray(0, Math.floor(bytes.length * share))),
      ).rejects.toMatchObject({ code: 'damaged_image' })
    }
  },
  20_000,
)

test.each<PictureKind>([
  'invokeai',
  'photo',
  'plain-webp',
  'gif',
  'animated-gif',
  'animated-webp',
  'tiff',
])('accepts a complete %s with foreign bytes after its end', async (kind) => {
  const whole = await drawn(kind)

  for (const foreign of ['\0', 'foreign', '<script>;</script>', 'x'.repeat(5000)]) {
    const decoded = await decode(Buffer.concat([whole, Buffer.from(foreign)]))
    expect(decoded).toMatchObject({ width: 120, height: 80 })
  }
})

test.each<PictureKind>(['invokeai', 'photo', 'gif', 'animated-gif'])(
  'refuses a truncated %s with foreign bytes after it',
  async (kind) => {
    const whole = await drawn(kind)
    const cut = whole.subarray(0, Math.floor(whole.length * 0.6))

    await expect(
      decode(Buffer.concat([cut, Buffer.from('foreign bytes '.repeat(100))])),
    ).rejects.toMatchObject({ code: 'damaged_image' })
  },
)

const ftyp = (brands: string) => `\0\0\0\x1cftyp${brands}${'\0'.repeat(40)}`

test.each([
  ['text', 'hello, this is no picture\n', 'not_an_image', 'a text file'],
  ['truncated UTF-8 text', '\xc3\xbc'.repeat(2000).slice(0, 1999), 'not_an_image', 'a text file'],
  ['HTML', '<!DOCTYPE html><script>alert(1)</script>', 'not_an_image', 'an HTML page'],
  [
    'SVG',
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    'unsupported_format',
    'SVG',
  ],
  [
    'SVG after an XML declaration',
    '<?xml version="1.0"?>\n<!-- x -->\n<svg/>',
    'unsupported_format',
    'SVG',
  ],
  ['a HEIF sequence', ftyp('msf1\0\0\0\0msf1hevc'), 'unsupported_format', 'an unusual HEIF'],
  ['HEIC without content', ftyp('heic\0\0\0\0mif1heic'), 'damaged_image', 'damaged'],
  ['a compressed BMP', compressedBmp, 'unsupported_format', 'a compressed BMP'],
  ['BMP', `${plainBmp}`.slice(0, 60), 'damaged_image', 'damaged'],
  ['PDF', '%PDF-1.7\n', 'unsupported_format', 'PDF'],
  ['a movie', ftyp('isom\0\0\0\0isommp42'), 'not_an_image', 'a video'],
  ['bytes', '\x00\x01\x02\x03\xff\xfe', 'unreadable_image', 'not an image'],
])('refuses %s named .png and names its format', async (_, content, code, words) => {
  await expect(decode(Buffer.from(content, 'latin1'))).rejects.toMatchObject({
    code,
    message: expect.stringContaining(words),
  })
})

test('decodes the size and thumbnail of a BMP, without metadata', async () => {
  const red = writeBmp({ width: 300, height: 200 }, () => [200, 0, 0, 255])
  const decoded = await decode(red)

  expect(decoded).toMatchObject({ mediaType: 'image/bmp', width: 300, height: 200, takenAt: null })
  const { dominant } = await sharp(decoded.thumbnail).stats()
  expect(dominant).toMatchObject({ r: expect.closeTo(200, -2), g: expect.closeTo(0, -2) })
})

test.each([
  { cropVisible: false, resizeTo: { width: 30, height: 20 }, size: { width: 30, height: 20 } },
  { cropVisible: true, resizeTo: null, size: { width: 4, height: 3 } },
])('crops and resizes a BMP: %o', async ({ size, ...change }) => {
  const bmp = writeBmp({ width: 60, height: 40 }, (x, y) =>
    x >= 10 && x < 14 && y >= 5 && y < 8 ? [9, 99, 9, 255] : [0, 0, 0, 255],
  )

  const png = await codec.transform(await stored(bmp), change)

  expect(await sharp(png).metadata()).toMatchObject({ format: 'png', ...size })
})

test('decodes HEIC upright, with its date and camera', async () => {
  const decoded = await decode(turnedHeic)

  expect(decoded).toMatchObject({
    mediaType: 'image/heic',
    width: 16,
    height: 24,
    isAnimated: false,
  })
  expect(decoded.takenAt).toBe(Date.UTC(2024, 4, 6, 5, 8, 9))
  expect(decoded.metadata.normal).toMatchObject({ camera: 'Apple iPhone 15' })
  const { data, info } = await sharp(decoded.thumbnail).raw().toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 16, height: 24, channels: 3 })
  const [left, right] = [data.subarray(0, 3), data.subarray(45, 48)]
  expect([left[0], left[2]]).toEqual([expect.closeTo(19, -1.5), expect.closeTo(236, -1.5)])
  expect([right[0], right[2]]).toEqual([expect.closeTo(246, -1.5), expect.closeTo(1, -1.5)])
})

test('decodes JPEG XL upright, with its date and metadata in compressed boxes', async () => {
  const taken = Buffer.from('2024:05:06 07:08:09\0')
  const exif = jxlBox.exif(exifBlock([], [{ tag: 0x9003, type: exifType.ascii, value: taken }]))
  const xmp = jxlBox.compressed(jxlBox.xmp(xmpPacket({ 'dc:description': 'a fox --v 7' })))

  const decoded = await decode(putIntoJxlContainer(turnedJxl, [exif, xmp]))

  expect(decoded).toMatchObject({ mediaType: 'image/jxl', width: 6, height: 8, isAnimated: false })
  expect(decoded.takenAt).toBe(Date.UTC(2024, 4, 6, 7, 8, 9))
  expect(decoded.metadata.normal).toMatchObject({ generator: 'midjourney', prompt: 'a fox' })
  const { data, info } = await sharp(decoded.thumbnail).raw().toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 6, height: 8 })
  const [first, last] = [data.subarray(0, 2), data.subarray(-info.channels)]
  expect([first[0], first[1]]).toEqual([expect.closeTo(0, -2), expect.closeTo(212, -2)])
  expect([last[0], last[1]]).toEqual([expect.closeTo(223, -2), expect.closeTo(0, -2)])
})

test.each([
  { name: 'HEIC', whole: turnedHeic, shares: [0.2, 0.6, 0.99], from: 60, step: 41, altered: 4 },
  { name: 'JPEG XL', whole: turnedJxl, shares: [0.03, 0.6, 0.97], from: 3, step: 30, altered: 2 },
])('refuses truncated and altered $name files, and decodes the next one', async (of) => {
  const { whole, shares, from, step } = of
  for (const share of shares) {
    const cut = whole.subarray(0, Math.floor(whole.length * share))
    await expect(decode(cut)).rejects.toMatchObject({ code: 'damaged_image' })
  }
  for (let at = from; at < whole.length; at += step) {
    const altered = Buffer.from(whole)
    altered.fill(0xff, at, at + of.altered)
    await decode(altered).catch((error: unknown) => {
      expect(error).toMatchObject({ code: expect.stringMatching(/damaged_image|too_many_pixels/) })
    })
  }

  expect(await decode(whole)).toMatchObject({ isAnimated: false })
})

test('shows the first picture of an animated AVIF, and marks it as animated', async () => {
  const decoded = await decode(animatedAvif)

  expect(decoded).toMatchObject({ mediaType: 'image/avif', width: 16, height: 8, isAnimated: true })
  const { dominant } = await sharp(decoded.thumbnail).stats()
  expect(dominant).toMatchObject({ r: expect.closeTo(248, -2), b: expect.closeTo(8, -2) })
})

test('refuses an empty file', async () => {
  await expect(decode('')).rejects.toMatchObject({ code: 'empty_file' })
})

test('refuses a missing file', async () => {
  await expect(codec.decode(join(folder, 'nowhere.png'))).rejects.toMatchObject({
    code: 'image_not_found',
  })
})

test('refuses 60,000 x 60,000 pixels from the header, with figures in the message', async () => {
  await expect(decode(await fileOfSize('PNG', 60_000))).rejects.toMatchObject({
    code: 'too_many_pixels',
    message: expect.stringContaining('60000 x 60000'),
  })
})

/** Side lengths of squares: the last multiple of 100 that fits into memory, and the first that does not. */
const limits: [SizedFormat, number, number][] = [
  ['AVIF', 4700, 4800],
  ['BMP of 1 bit', 11_600, 11_700],
  ['GIF', 8800, 8900],
  ['HEIC', 5400, 5500],
  ['JPEG XL', 3100, 3200],
  ['interlaced PNG', 10_700, 10_800],
  ['lossless WebP', 9800, 9900],
  ['progressive JPEG', 11_100, 11_200],
]

test.each(limits)(
  '%s: decodes %i pixels square and refuses %i from the header',
  async (format, fitting, refused) => {
    const maxPixels = 300_000_000
    const roomy = openImageCodec({ maxPixels })

    const header = await readHeader(await stored(await fileOfSize(format, fitting)), maxPixels)
    expect(header).toMatchObject({ width: fitting, height: fitting })
    await expect(
      roomy.decode(await stored(await fileOfSize(format, refused))),
    ).rejects.toMatchObject({
      code: 'too_many_pixels',
      message: expect.stringMatching(
        `${refused} x ${refused} pixels in this format take .* limit is 440 MB`,
      ),
    })
  },
)

test.each<SizedFormat>(['PNG', 'JPEG', 'lossy WebP'])(
  'accepts %s of 14,000 pixels square, because its decoder yields rows',
  async (format) => {
    const path = await stored(await fileOfSize(format, 14_000))

    expect(await readHeader(path, 200_000_000)).toMatchObject({ width: 14_000 })
  },
)

test('allows fewer pixels for a crop, which holds the whole image in memory', async () => {
  const roomy = openImageCodec({ maxPixels: 200_000_000 })
  const path = await stored(await fileOfSize('PNG', 8000))

  await expect(roomy.transform(path, { cropVisible: true, resizeTo: null })).rejects.toMatchObject({
    code: 'too_many_pixels',
  })
})

test('refuses a TIFF of ten thousand pages and accepts one of three', async () => {
  const page = await flat(2, 2, '#000').raw().toBuffer()
  const tiffOf = (pages: number) =>
    sharp(Buffer.concat(Array<Buffer>(pages).fill(page)), {
      raw: { width: 2, height: 2 * pages, channels: 3, pageHeight: 2 },
    })
      .tiff({ compression: 'none' })
      .toBuffer()

  await expect(decode(await tiffOf(10_000))).rejects.toMatchObject({ code: 'too_many_pages' })
  expect(await decode(await tiffOf(3))).toMatchObject({ width: 2, height: 2 })
})

/** Returns 64 x 64 uncompressed grey pixels with all tags before the pixels, as cameras write them. */
const plainTiff = (): Buffer => {
  const start = 122
  const tags = { 256: 64, 257: 64, 258: 8, 259: 1, 262: 1, 273: start, 277: 1, 278: 64, 279: 4096 }
  const tiff = Buffer.alloc(start + 4096, 0x80)
  tiff.write('II*\0\x08\0\0\0\x09\0', 'latin1')
  Object.entries(tags).forEach(([tag, value], index) => {
    const entry = Buffer.alloc(12)
    entry.writeUInt16LE(Number(tag))
    entry.writeUInt16LE(4, 2) // type `long`
    entry.writeUInt32LE(1, 4)
    entry.writeUInt32LE(value, 8)
    entry.copy(tiff, 10 + 12 * index)
  })
  tiff.writeUInt32LE(0, start - 4)
  return tiff
}

/** Returns a PNG chunk. */
const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Returns a PNG with a second frame, which the decoder does not read. */
const animatedPng = async (): Promise<Buffer> => {
  const still = await flat(32, 32, '#963').png().toBuffer()
  const [head, frames] = [still.subarray(0, 33), still.subarray(33, -12)]
  const control = chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))
  const frame = chunk('fdAT', Buffer.alloc(5_000, 7))
  return Buffer.concat([head, control, frames, frame, still.subarray(-12)])
}

test('tells which files have several frames', async () => {
  const pages = sharp(Buffer.alloc(24), {
    raw: { width: 2, height: 4, channels: 3, pageHeight: 2 },
  })
  const areAnimated = await Promise.all(
    [
      await drawn('animated-gif'),
      await drawn('animated-webp'),
      await animatedPng(),
      await drawn('gif'),
      await drawn('plain-webp'),
      await drawn('invokeai'),
      await pages.tiff().toBuffer(),
    ].map(async (bytes) => (await decode(bytes)).isAnimated),
  )

  expect(areAnimated).toEqual([true, true, true, false, false, false, false])
})

test('refuses a PNG without its end, even if only its second frame is truncated', async () => {
  const still = await drawn('invokeai')
  const animated = await animatedPng()
  expect((await decode(animated)).mediaType).toBe('image/png')

  const cuts = [still.subarray(0, -12), still.subarray(0, -1)]
  for (const share of [0.1, 0.5, 0.99]) {
    cuts.push(animated.subarray(0, Math.floor(animated.length * share)))
  }
  for (const cut of cuts) {
    await expect(decode(cut)).rejects.toMatchObject({ code: 'damaged_image' })
  }
})

test('refuses a truncated TIFF without compression', async () => {
  expect(await decode(plainTiff())).toMatchObject({ mediaType: 'image/tiff', width: 64 })

  const cut = await stored(plainTiff().subarray(0, -100))
  const change = { cropVisible: true, resizeTo: null }
  await expect(codec.decode(cut)).rejects.toMatchObject({ code: 'damaged_image' })
  await expect(codec.transform(cut, change)).rejects.toMatchObject({ code: 'crop_failed' })
})

test('queues files beyond the concurrency limit', async () => {
  const narrow = openImageCodec({ maxPixels: MAX_PIXELS, concurrency: 1 })
  const path = await stored(await drawn('invokeai'))

  const decoded = await Promise.all(Array.from({ length: 12 }, () => narrow.decode(path)))

  expect(decoded).toHaveLength(12)
})

test('crops to the visible pixels and preserves text chunks', async () => {
  const dot = { create: { width: 10, height: 5, channels: 3 as const, background: '#fff' } }
  const png = await flat(60, 40, '#000')
    .composite([{ input: dot, left: 20, top: 30 }])
    .removeAlpha()
    .png()
    .toBuffer()
  const path = await stored(
    await sharp(await drawn('a1111', 60, 40))
      .keepMetadata()
      .composite([{ input: png }])
      .removeAlpha()
      .png()
      .toBuffer(),
  )

  const cropped = await codec.transform(path, { cropVisible: true, resizeTo: null })

  expect(await sharp(cropped).metadata()).toMatchObject({
    format: 'png',
    width: 10,
    height: 5,
    comments: [{ keyword: 'parameters' }],
  })
})

test('treats transparent pixels as invisible in an image with alpha', async () => {
  const box = { r: 0, g: 0, b: 0, alpha: 1 }
  const path = await stored(
    await sharp({ create: { width: 30, height: 30, channels: 4, background: '#0000' } })
      .composite([
        {
          input: { create: { width: 4, height: 6, channels: 4, background: box } },
          left: 1,
          top: 2,
        },
      ])
      .png()
      .toBuffer(),
  )

  const cropped = await codec.transform(path, { cropVisible: true, resizeTo: null })

  expect(await sharp(cropped).metadata()).toMatchObject({ width: 4, height: 6 })
})

test('does not crop a black image', async () => {
  const path = await stored(await flat(20, 10, '#000').png().toBuffer())

  const cropped = await codec.transform(path, { cropVisible: true, resizeTo: null })

  expect(await sharp(cropped).metadata()).toMatchObject({ width: 20, height: 10 })
})

test('resizes to exactly the requested size', async () => {
  const path = await stored(await drawn('photo', 90, 60))

  const resized = await codec.transform(path, {
    cropVisible: false,
    resizeTo: { width: 33, height: 77 },
  })

  expect(await sharp(resized).metadata()).toMatchObject({ format: 'png', width: 33, height: 77 })
})
