import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert, asyncProperty, integer } from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PictureKind } from '#demo/describe-picture.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import type { PictureForm } from '#server/core/images/picture-ports.ts'
import { openImageCodec } from '#server/storage/thumbnails/image-codec.ts'
import {
  addGifComment,
  addJpegComment,
  addJpegExif,
  exifBlock,
  exifType,
} from '#testing/library/embed-metadata.ts'
import { hideText } from '#testing/library/hide-text.ts'
import { animatedAvif, turnedHeic, turnedJxl } from '#testing/library/small-files.ts'
import { roundsOf } from '#testing/rounds.ts'

const codec = openImageCodec({ maxPixels: 50_000_000 })
let folder = ''
let fileCount = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const stored = async (bytes: Uint8Array): Promise<string> => {
  const path = join(folder, String(fileCount++))
  await writeFile(path, bytes)
  return path
}

const drawn = async (kind: PictureKind, widthPx = 120, heightPx = 80) =>
  (await drawPicture({ seed: 9, kind, widthPx, heightPx })).bytes

const asIs: PictureForm = {
  ...{ format: 'original', quality: 80, longestSidePx: null, withoutMetadata: false },
}

const convert = async (bytes: Uint8Array, form: Partial<PictureForm>) =>
  codec.convert(await stored(bytes), { ...asIs, ...form })

const metadataIn = async (bytes: Uint8Array) => (await codec.decode(await stored(bytes))).metadata

const pixelsOf = (bytes: Uint8Array) => sharp(bytes, { pages: -1 }).raw().toBuffer()

test.each([
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['png', 'image/png'],
] as const)('converts to %s, at most as large as asked', async (format, mediaType) => {
  const made = await convert(await drawn('photo', 400, 200), { format, longestSidePx: 100 })

  expect(made?.mediaType).toBe(mediaType)
  const decoded = await codec.decode(await stored(made?.bytes ?? Buffer.alloc(0)))
  expect(decoded).toMatchObject({ mediaType, width: 100, height: 50 })
})

test('makes smaller files with a lower quality, and enlarges nothing', async () => {
  const photo = await drawn('photo', 400, 200)
  const [low, high] = await Promise.all(
    [20, 90].map((quality) => convert(photo, { format: 'webp', quality, longestSidePx: 4000 })),
  )

  expect(low?.bytes.length).toBeLessThan((high?.bytes.length ?? 0) / 2)
  expect(await sharp(high?.bytes).metadata()).toMatchObject({ width: 400, height: 200 })
})

test('leaves a file that has the form already', async () => {
  expect(await convert(await drawn('invokeai'), { longestSidePx: 120 })).toBeNull()
  expect(await convert(await drawn('animated-gif'), { format: 'jpeg' })).toBeNull()
  expect(await convert(animatedAvif, { format: 'webp', longestSidePx: 1 })).toBeNull()
})

test('keeps the metadata of the camera when it converts a photo', async () => {
  const made = await convert(await drawn('photo'), { format: 'webp' })

  const { normal } = await metadataIn(made?.bytes ?? Buffer.alloc(0))
  expect(normal?.camera).toEqual(expect.any(String))
})

test.each<PictureKind>([
  ...(['invokeai', 'a1111', 'a1111-jpeg', 'comfyui', 'comfyui-webp', 'photo'] as const),
  ...(['plain-webp', 'gif', 'animated-gif', 'animated-webp'] as const),
])('removes the metadata of %s and keeps its pixels', async (kind) => {
  const bytes = await drawn(kind)

  const made = await convert(bytes, { withoutMetadata: true })

  const found = await metadataIn(made?.bytes ?? Buffer.alloc(0))
  expect(found).toEqual({ invokeai: null, normal: null, workflow: null, graph: null })
  expect(await pixelsOf(made?.bytes ?? bytes)).toEqual(await pixelsOf(bytes))
})

test.each([
  ['avif', () => drawn('avif'), 'image/avif'],
  ['tiff', () => drawn('tiff'), 'image/png'],
  ['HEIC', async () => turnedHeic, 'image/png'],
  ['JPEG XL', async () => turnedJxl, 'image/png'],
])('encodes %s again without metadata', async (_, draw, mediaType) => {
  const bytes = await draw()
  const before = await codec.decode(await stored(bytes))

  const made = await convert(bytes, { withoutMetadata: true })

  const after = await codec.decode(await stored(made?.bytes ?? bytes))
  expect(after).toMatchObject({ mediaType, width: before.width, height: before.height })
  expect(after.metadata).toMatchObject({ normal: null, workflow: null })
})

test.each(['jpeg', 'webp', 'png'] as const)('keeps the orientation of a %s', async (format) => {
  const turned = await sharp(await drawn('gif', 40, 20))
    .withMetadata({ orientation: 6 })
    .toFormat(format)
    .toBuffer()

  const made = await convert(turned, { withoutMetadata: true })

  const decoded = await codec.decode(await stored(made?.bytes ?? turned))
  expect(decoded).toMatchObject({ width: 20, height: 40 })
  expect(Object.values(decoded.metadata.normal?.raw ?? {})).toEqual([{ Orientation: 6 }])
})

test.each([
  ['png', { mode: 'alpha', isCompressed: true }],
  ['png', { mode: 'rgb', isCompressed: false }],
  ['webp', { mode: 'alpha', isCompressed: false }],
] as const)('removes a text that is hidden in the pixels of a %s: %j', async (format, options) => {
  const text = JSON.stringify({
    Comment: '{"prompt":"foxes","signed_hash":"x"}',
    Source: 'NovelAI Diffusion V4',
  })
  const bytes = await hideText({ text, format, ...options })
  expect((await metadataIn(bytes)).normal?.prompt).toBe('foxes')

  for (const format of ['original', 'png', 'webp'] as const) {
    const made = await convert(bytes, { format, withoutMetadata: true })
    expect((await metadataIn(made?.bytes ?? bytes)).normal).toBeNull()
  }
})

test('removes comments and the parts of cameras', async () => {
  const jpeg = await sharp(await drawn('gif'))
    .jpeg()
    .toBuffer()
  const exif = exifBlock([{ tag: 0x010e, type: exifType.ascii, value: Buffer.from('a castle\0') }])
  const files = [
    addJpegComment(addJpegExif(jpeg, exif), 'secret words'),
    addGifComment(await drawn('gif'), 'secret words'),
  ]

  for (const file of files) {
    const made = await convert(file, { withoutMetadata: true })
    const text = Buffer.from(made?.bytes ?? file).toString('latin1')
    expect(text).not.toMatch(/secret words|a castle|Exif/)
  }
})

test('refuses a file whose metadata it cannot remove', async () => {
  await expect(convert(animatedAvif, { withoutMetadata: true })).rejects.toMatchObject({
    code: 'metadata_left',
  })
})

test('answers with a picture or a refusal for every damaged file', async () => {
  const files = await Promise.all(
    (['photo', 'comfyui', 'comfyui-webp', 'gif'] as const).map((k) => drawn(k)),
  )
  await assert(
    asyncProperty(
      integer({ min: 0, max: 3 }),
      integer({ min: 0 }),
      integer({ min: 0, max: 255 }),
      async (which, at, byte) => {
        const bytes = Buffer.from(files[which] ?? Buffer.alloc(0))
        bytes[at % bytes.length] = byte
        const cut = at % 3 === 0 ? bytes.subarray(0, at % bytes.length) : bytes
        const made = await convert(cut, { withoutMetadata: true }).catch((error: unknown) => error)

        if (made instanceof Error) expect(made.name).toBe('Refusal')
        else expect(made).toMatchObject({ mediaType: expect.any(String) })
      },
    ),
    { numRuns: roundsOf({ usual: 60, all: 400 }) },
  )
})
