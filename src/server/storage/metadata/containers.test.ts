import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { openImageCodec } from '#server/storage/thumbnails/image-codec.ts'
import {
  addGifComment,
  addJpegComment,
  addJpegExif,
  addPngChunks,
  type ExifTag,
  exifBlock,
  exifType,
  jxlBox,
  pngText,
  putIntoJxlContainer,
  xmpPacket,
} from '#testing/library/embed-metadata.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { readFileTexts } from './read-file-texts.ts'

const codec = openImageCodec({ maxPixels: 10_000 })
const picture = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#456' } })
const [png, jpeg, gif] = await Promise.all([
  picture().png().toBuffer(),
  picture().jpeg().toBuffer(),
  picture().gif().toBuffer(),
])

const folder = await createTemporaryFolder()
afterAll(() => removeFolder(folder))

let written = 0
const readFile = async (bytes: Buffer) => {
  written += 1
  const path = join(folder, `image-${written}`)
  await writeFile(path, bytes)
  return await codec.decode(path)
}

const text =
  'größe, 100 % <b>\nNegative prompt: blur\nSteps: 20, Sampler: Euler, Seed: 7, Size: 8x8'
const wide = text.replace('größe', 'größe 日本')

const named = (name: string, body: Buffer) =>
  Buffer.concat([Buffer.from(name.padEnd(8, '\0'), 'latin1'), body])
const little = (value: string) => Buffer.from(value, 'utf16le')
const big = (value: string) => little(value).swap16()
const comment = (value: Buffer, type = exifType.undefined): ExifTag => ({
  tag: 0x9286,
  type,
  value,
})
const inJpeg = (tag: ExifTag, isBigEndian = false) =>
  addJpegExif(jpeg, exifBlock([], [tag], { isBigEndian }))
const inMain = (tag: number, value: Buffer, type = exifType.ascii) =>
  addJpegExif(jpeg, exifBlock([{ tag, type, value }]))
const inXmp = (name: string, form: 'element' | 'alternatives' | 'attribute') =>
  Buffer.from(xmpPacket({ [name]: wide }, form))
const webpXmp = async (form: 'element' | 'alternatives' | 'attribute') =>
  await picture().withXmp(inXmp('exif:UserComment', form).toString()).webp().toBuffer()

test.each<[string, string, Buffer | Promise<Buffer>]>([
  ['tEXt in Latin-1', text, addPngChunks(png, [pngText.latin1('parameters', text)])],
  ['tEXt in UTF-8', wide, addPngChunks(png, [pngText.utf8('parameters', wide)])],
  ['zTXt', text, addPngChunks(png, [pngText.compressed('parameters', text)])],
  ['iTXt', wide, addPngChunks(png, [pngText.international('parameters', wide)])],
  [
    'compressed iTXt',
    wide,
    addPngChunks(png, [pngText.internationalCompressed('parameters', wide)]),
  ],
  [
    'a PNG text after the pixels',
    wide,
    addPngChunks(png, [pngText.utf8('parameters', wide)], { afterPixels: true }),
  ],
  [
    'eXIf',
    wide,
    addPngChunks(png, [pngText.exif(exifBlock([], [comment(named('UNICODE', big(wide)))]))]),
  ],
  [
    'eXIf after the pixels',
    wide,
    addPngChunks(png, [pngText.exif(exifBlock([], [comment(named('UNICODE', big(wide)))]))], {
      afterPixels: true,
    }),
  ],
  ['a comment in UTF-16, big-endian', wide, inJpeg(comment(named('UNICODE', big(wide))), true)],
  [
    'a comment in UTF-16, little-endian',
    wide,
    inJpeg(comment(named('UNICODE', little(wide))), true),
  ],
  [
    'a comment with a big-endian mark',
    wide,
    inJpeg(comment(named('UNICODE', big(`\ufeff${wide}`)))),
  ],
  [
    'a comment with a little-endian mark',
    wide,
    inJpeg(comment(named('UNICODE', little(`\ufeff${wide}`)))),
  ],
  ['a comment in UTF-8 of EXIF 3', wide, inJpeg(comment(named('UNICODE', Buffer.from(wide))))],
  ['a comment without encoding', wide, inJpeg(comment(named('', Buffer.from(wide))))],
  ['a comment without the name of its encoding', wide, inJpeg(comment(Buffer.from(wide)))],
  ['a comment of single bytes', wide, inJpeg(comment(named('UNICODE', big(wide)), exifType.byte))],
  ['a comment as ASCII', wide, inJpeg(comment(named('ASCII', Buffer.from(wide)), exifType.ascii))],
  ['a comment of the type UTF-8', wide, inJpeg(comment(Buffer.from(wide), exifType.utf8))],
  [
    'a comment in the main directory',
    wide,
    inMain(0x9286, named('UNICODE', big(wide)), exifType.undefined),
  ],
  ['an ASCII comment in the main directory', wide, inMain(0x9286, Buffer.from(`${wide}\0`))],
  ['the image description', wide, inMain(0x010e, Buffer.from(`${wide}\0`))],
  ['the comment of Windows', wide, inMain(0x9c9c, little(`${wide}\0`), exifType.byte)],
  ['a comment of a JPEG', wide, addJpegComment(jpeg, wide)],
  ['a comment of a GIF', wide, addGifComment(gif, wide)],
  [
    'XMP of a PNG',
    wide,
    addPngChunks(png, [
      pngText.international(
        'XML:com.adobe.xmp',
        inXmp('dc:description', 'alternatives').toString(),
      ),
    ]),
  ],
  [
    'compressed XMP of a PNG',
    wide,
    addPngChunks(png, [
      pngText.internationalCompressed(
        'XML:com.adobe.xmp',
        inXmp('dc:description', 'element').toString(),
      ),
    ]),
  ],
  ['XMP of a WebP as attribute', wide, webpXmp('attribute')],
  ['XMP of a WebP as element', wide, webpXmp('element')],
  ['XMP of a WebP with alternatives', wide, webpXmp('alternatives')],
  [
    'XMP of a JPEG',
    wide,
    picture().withXmp(inXmp('dc:description', 'alternatives').toString()).jpeg().toBuffer(),
  ],
  [
    'XMP of an AVIF',
    wide,
    picture().withXmp(inXmp('dc:description', 'alternatives').toString()).avif().toBuffer(),
  ],
  [
    'XMP of a TIFF',
    wide,
    picture().withXmp(inXmp('dc:description', 'alternatives').toString()).tiff().toBuffer(),
  ],
])('reads a text from %s', async (_, text, file) => {
  const { metadata } = await readFile(await file)

  expect(metadata.normal).toMatchObject({
    generator: 'a1111',
    prompt: text.split('\n')[0],
    negative_prompt: 'blur',
    seed: 7,
  })
})

/** Adds a directory at the end of an uncompressed TIFF, where programs write it, with a description before its tags. */
const addTiffDescription = (tiff: Buffer, written: string): Buffer => {
  const start = tiff.readUInt32LE(4)
  const count = tiff.readUInt16LE(start)
  const value = Buffer.from(`${written}\0`)
  const description = Buffer.alloc(12)
  description.writeUInt16LE(0x010e, 0)
  description.writeUInt16LE(exifType.ascii, 2)
  description.writeUInt32LE(value.length, 4)
  description.writeUInt32LE(tiff.length, 8)
  const entries = Array.from({ length: count }, (_, index) =>
    tiff.subarray(start + 2 + 12 * index, start + 14 + 12 * index),
  ).filter((entry) => entry.readUInt16LE(0) !== 0x010e)
  const all = [...entries, description].toSorted((a, b) => a.readUInt16LE(0) - b.readUInt16LE(0))
  const head = Buffer.alloc(2)
  head.writeUInt16LE(all.length)
  const changed = Buffer.concat([tiff, value, head, ...all, Buffer.alloc(4)])
  changed.writeUInt32LE(tiff.length + value.length, 4)
  return changed
}

test('reads a description from the tags of a TIFF', async () => {
  const tiff = await picture().tiff({ compression: 'none' }).toBuffer()

  const { metadata } = await readFile(addTiffDescription(tiff, wide))

  expect(metadata.normal).toMatchObject({
    generator: 'a1111',
    seed: 7,
    prompt: 'größe 日本, 100 % <b>',
  })
})

test('reads ComfyUI’s texts from its properties in XMP', async () => {
  const prompt = '{"3":{"class_type":"KSampler","inputs":{"seed":9,"latent_image":["4",0]}}}'
  const packet = xmpPacket({ 'comfy:prompt': prompt, 'comfy:workflow': '{"nodes":[]}' })

  const { metadata } = await readFile(await picture().withXmp(packet).avif().toBuffer())

  expect(metadata.normal).toMatchObject({ generator: 'comfyui', seed: 9 })
  expect(metadata).toMatchObject({ graph: prompt, workflow: '{"nodes":[]}' })
})

test('reads ComfyUI’s texts from the maker and model of a WebP', async () => {
  const prompt =
    '{"3":{"class_type":"KSampler","inputs":{"seed":9,"text":"größe","latent_image":["4",0]}}}'
  const exif = exifBlock([
    { tag: 0x010f, type: exifType.ascii, value: Buffer.from('workflow:{"nodes":[]}\0') },
    { tag: 0x0110, type: exifType.ascii, value: Buffer.from(`prompt:${prompt}\0`) },
  ])

  const { metadata } = await readFile(addJpegExif(jpeg, exif))

  expect(metadata.normal).toMatchObject({ generator: 'comfyui', seed: 9, camera: null })
  expect(metadata.workflow).toBe('{"nodes":[]}')
})

test('reads NovelAI’s texts from the EXIF comment of a WebP', async () => {
  const settings = { prompt: 'größe', uc: 'fog', steps: 23, scale: 5, seed: 9 }
  const texts = { Software: 'NovelAI', Source: 'V4', Comment: JSON.stringify(settings) }
  const written = named('UNICODE', big(JSON.stringify(texts)))
  const webp = await sharp(inJpeg(comment(written)))
    .keepExif()
    .webp()
    .toBuffer()

  const { metadata } = await readFile(webp)

  expect(metadata.normal).toMatchObject({
    ...{ generator: 'novelai', prompt: 'größe', negative_prompt: 'fog' },
    ...{ seed: 9, model: 'V4' },
  })
})

test('leaves out a text that grows beyond the limit when it is decompressed', async () => {
  const bomb = pngText.internationalCompressed('parameters', 'x'.repeat(5_000_000))

  const { metadata } = await readFile(addPngChunks(png, [bomb, pngText.latin1('a', 'b')]))

  expect(metadata.normal?.raw).toEqual({ a: 'b' })
})

test('leaves out a box of a JPEG XL that grows beyond the limit when it is decompressed', async () => {
  const [bomb, small] = ['x'.repeat(5_000_000), '<x/>'].map((packet) =>
    jxlBox.compressed(jxlBox.xmp(packet)),
  )
  const path = join(folder, 'boxes.jxl')
  const xmpOf = async (...boxes: (Buffer | undefined)[]) => {
    await writeFile(
      path,
      putIntoJxlContainer(
        png,
        boxes.filter((box) => box !== undefined),
      ),
    )
    return (await readFileTexts(path, 'image/jxl', [])).xmp?.toString()
  }

  expect(await xmpOf(bomb)).toBe('')
  expect(await xmpOf(small, bomb)).toBe('<x/>')
})

test.each([
  ['a PNG chunk', addPngChunks(png, [pngText.latin1('parameters', '').fill(255, 8, 12)])],
  ['a JPEG comment', addJpegComment(jpeg, '')],
  [
    'EXIF',
    addJpegExif(
      jpeg,
      exifBlock([{ tag: 0x9286, type: 7, value: Buffer.alloc(9, 255) }]).subarray(0, 30),
    ),
  ],
])('opens a file with a broken text: %s', async (_, file) => {
  await expect(readFile(file)).resolves.toMatchObject({ width: 8 })
})
