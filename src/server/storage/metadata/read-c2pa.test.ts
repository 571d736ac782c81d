import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode, Tagged } from 'cborg'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageMediaType } from '#contract/image.ts'
import { embedManifest, jumbf, manifestOf } from '#testing/library/c2pa-files.ts'
import { claimsOf, readC2pa } from './read-c2pa.ts'
import { readEmbeddedMetadata } from './read-embedded-metadata.ts'

const AI = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia'
const created = (softwareAgent: unknown) => ({
  actions: [{ action: 'c2pa.created', softwareAgent, digitalSourceType: AI }],
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'c2pa-'))
})
afterAll(() => rm(folder, { recursive: true }))

const fileOf = async (format: 'png' | 'jpeg' | 'webp', manifest: Buffer | null) => {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
  const bytes = await image.toFormat(format).toBuffer()
  const path = join(folder, `a.${format}`)
  await writeFile(path, manifest === null ? bytes : embedManifest(bytes, format, manifest))
  // A decoder must still accept the file.
  expect((await sharp(path).metadata()).width).toBe(8)
  return { path, mediaType: `image/${format}` satisfies ImageMediaType }
}

const normalOf = (claims: ReturnType<typeof claimsOf>) =>
  readEmbeddedMetadata({ comments: [], exif: null, claims, given: null }).metadata.normal

test.each([
  ['png', 'firefly', manifestOf({ claim_generator: 'Adobe_Firefly' }, created('Adobe Firefly'))],
  [
    'webp',
    'dalle',
    manifestOf({ claim_generator_info: [{ name: 'ChatGPT' }] }, created({ name: 'GPT-4o' })),
  ],
  [
    'jpeg',
    'gemini',
    manifestOf(
      { claim_generator_info: { name: 'Google C2PA Core Generator Library', version: '1.2.3' } },
      created({ name: 'Google AI' }),
    ),
  ],
] as const)('reads the claims of a %s of %s', async (format, generator, manifest) => {
  const { path, mediaType } = await fileOf(format, manifest)

  const normal = normalOf(await readC2pa(path, mediaType))

  expect(normal).toMatchObject({ generator, source_type: 'trainedAlgorithmicMedia' })
  expect(normal?.raw).toHaveProperty('c2pa')
})

test('joins a manifest that a JPEG splits into segments', async () => {
  const manifest = manifestOf({ claim_generator: 'x' }, created('DALL·E'), 150_000)
  const { path, mediaType } = await fileOf('jpeg', manifest)

  expect(await readC2pa(path, mediaType)).toMatchObject({ agents: ['DALL·E'], source_types: [AI] })
})

test.each(['png', 'jpeg', 'webp'] as const)(
  'finds no claims in a %s without them',
  async (format) => {
    const { path, mediaType } = await fileOf(format, null)

    expect(await readC2pa(path, mediaType)).toBeNull()
  },
)

test('reads dates and other tagged values as plain values', () => {
  const actions = {
    actions: [{ when: new Tagged(0, '2026-01-01T00:00:00Z'), softwareAgent: 'Sora' }],
  }
  const claim = { claim_generator_info: [{ name: 'tool', version: '2.1' }] }

  expect(claimsOf(manifestOf(claim, actions))).toEqual({
    generators: ['tool 2.1'],
    agents: ['Sora'],
    source_types: [],
  })
})

test('survives damaged and hostile manifests', () => {
  const nested = Array.from({ length: 1000 }).reduce<Buffer>(
    (inner) => jumbf('jumb', Buffer.concat([jumbf('jumd', Buffer.alloc(20)), inner])),
    jumbf('cbor', Buffer.from(encode({}))),
  )
  const whole = manifestOf({ claim_generator: 'x' }, created('Adobe Firefly'))

  expect(claimsOf(nested)).toBeNull()
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const damaged = Buffer.from(whole)
      damaged[at] = byte
      expect(() => [claimsOf(damaged), claimsOf(whole.subarray(0, at))]).not.toThrow()
    }),
  )
})
