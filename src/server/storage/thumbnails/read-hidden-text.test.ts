import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFileHeader } from '#server/processes/decode-memory.ts'
import { setUpSharp } from '#server/processes/open-with-sharp.ts'
import { hideText } from '#testing/library/hide-text.ts'
import { openImageCodec } from './image-codec.ts'
import { readHiddenText } from './read-hidden-text.ts'

let path: string
let folder: string
beforeAll(async () => {
  // Without the cache of sharp, because all tests write to one path.
  setUpSharp()
  folder = await mkdtemp(join(tmpdir(), 'hidden-'))
  path = join(folder, 'image')
})
afterAll(() => rm(folder, { recursive: true }))

const read = async (bytes: Buffer) => {
  await writeFile(path, bytes)
  const header = await readFileHeader(path)
  return readHiddenText(path, header, { limitInputPixels: 1e8, sequentialRead: true })
}

const text = JSON.stringify({
  Comment: '{"prompt":"Füchse","signed_hash":"x"}',
  Source: 'NovelAI Diffusion V4',
})

test.each([
  { mode: 'alpha', isCompressed: false },
  { mode: 'alpha', isCompressed: true },
  { mode: 'rgb', isCompressed: false },
  { mode: 'rgb', isCompressed: true },
  { mode: 'alpha', isCompressed: true, format: 'webp' },
  { mode: 'alpha', isCompressed: false, width: 400, height: 9 },
] as const)('reads a hidden text: %j', async (options) => {
  expect(await read(await hideText({ text, ...options }))).toBe(text)
})

test('finds nothing in ordinary images', async () => {
  const solid = sharp({ create: { width: 40, height: 40, channels: 4, background: 'teal' } })

  expect(await read(await solid.png().toBuffer())).toBeNull()
  expect(await read(await solid.jpeg().toBuffer())).toBeNull()
  expect(await read(await solid.resize(1, 1).png().toBuffer())).toBeNull()
  expect(await read(await solid.webp({ lossless: true }).toBuffer())).toBeNull()
})

test.each([
  ['a length beyond the image', { declaredBits: 8 * 100_000 }],
  ['a length beyond the limit', { declaredBits: 0xfffffff8 }],
  ['a length that is no whole number of bytes', { declaredBits: 9 }],
  ['a damaged compressed text', { isCompressed: true, declaredBits: 64 }],
])('refuses %s', async (_, options) => {
  expect(await read(await hideText({ text, ...options }))).toBeNull()
})

test('refuses a text that inflates beyond the limit', async () => {
  const bomb = 'x'.repeat(20_000_000)

  expect(
    await read(await hideText({ text: bomb, isCompressed: true, width: 600, height: 600 })),
  ).toBeNull()
})

test.each(['png', 'webp'] as const)(
  'imports a %s whose only metadata is hidden',
  async (format) => {
    await writeFile(path, await hideText({ text, isCompressed: true, format }))
    const codec = openImageCodec({ maxPixels: 1e8 })

    const decoded = await codec.decode(path)
    const reread = await codec.readMetadata(path, { metadata: null, sidecars: {} })

    expect(decoded.metadata.normal).toMatchObject({ generator: 'novelai', prompt: 'Füchse' })
    expect(reread.metadata).toEqual(decoded.metadata)
  },
)

test('reads a WebP once more only if it is opaque', async () => {
  await writeFile(path, await hideText({ text, format: 'webp' }))
  const header = await readFileHeader(path)
  const options = { limitInputPixels: 1e8, sequentialRead: true }
  const pictureOf = (alpha: number) => ({
    ...{ bytes: Buffer.from([0, 0, 0, 255, 0, 0, 0, alpha]), width: 2, height: 1 },
    channels: 4 as const,
  })

  expect(await readHiddenText(path, header, options, pictureOf(254))).toBe(text)
  expect(await readHiddenText(path, header, options, pictureOf(253))).toBeNull()
})
