import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { PictureKind } from '#demo/describe-picture.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { invokeaiMetadata } from '#demo/embedded/invokeai-texts.ts'
import { readEmbeddedMetadata } from './read-embedded-metadata.ts'

const readDrawn = async (kind: PictureKind, seed = 31) => {
  const { bytes, description } = await drawPicture({ seed, kind, widthPx: 64, heightPx: 48 })
  const { comments = [], exif = null } = await sharp(bytes).metadata()
  return { description, ...readEmbeddedMetadata({ comments, exif, given: null }) }
}

const readTexts = (texts: Record<string, string>, given: string | null = null) =>
  readEmbeddedMetadata({
    comments: Object.entries(texts).map(([keyword, text]) => ({ keyword, text })),
    exif: null,
    given,
  }).metadata

/** A seed whose image has a LoRA, so that each reader can find one. */
const WITH_LORA = 35

test.each<[PictureKind, string]>([
  ['invokeai', 'invokeai'],
  ['a1111', 'a1111'],
  ['a1111-jpeg', 'a1111'],
  ['comfyui', 'comfyui'],
  ['comfyui-webp', 'comfyui'],
])('converts the metadata of %s into the common form', async (kind, generator) => {
  const { description, metadata } = await readDrawn(kind, WITH_LORA)

  expect(description.loras).toHaveLength(1)
  expect(metadata.normal).toMatchObject({
    generator,
    prompt: expect.stringContaining(description.prompt),
    negative_prompt: description.negativePrompt === '' ? null : description.negativePrompt,
    seed: description.seed,
    steps: description.steps,
    cfg_scale: description.cfgScale,
    loras: description.loras,
    width: 64,
    height: 48,
    camera: null,
  })
})

test('stores InvokeAI’s metadata, workflow and graph unchanged', async () => {
  const { description, metadata } = await readDrawn('invokeai')

  expect(JSON.parse(metadata.invokeai ?? '')).toEqual(invokeaiMetadata(description))
  expect(JSON.parse(metadata.workflow ?? '')).toMatchObject({ name: 'Text to image' })
  expect(JSON.parse(metadata.graph ?? '')).toHaveProperty('nodes')
})

test('stores ComfyUI’s workflow and graph for download', async () => {
  const { metadata } = await readDrawn('comfyui')

  expect(metadata.invokeai).toBeNull()
  expect(JSON.parse(metadata.workflow ?? '')).toHaveProperty('nodes')
  expect(JSON.parse(metadata.graph ?? '')).toHaveProperty('3.class_type', 'KSampler')
})

test('reads the camera, lens, exposure and date of a photo', async () => {
  const { bytes, description, takenAt } = await drawPicture({ seed: 5, kind: 'photo', widthPx: 64 })
  const { exif = null } = await sharp(bytes).metadata()

  const read = readEmbeddedMetadata({ comments: [], exif, given: null })

  expect(read.metadata.normal).toMatchObject({
    generator: 'camera',
    camera: expect.stringContaining(description.camera.model),
    lens: description.camera.lens,
    exposure: '1/250 s, f/2.8, ISO 200, 35 mm',
  })
  expect(read.takenAt).toBe(takenAt)
})

test('returns no metadata for a file without any', () => {
  expect(readTexts({})).toEqual({ invokeai: null, normal: null, workflow: null, graph: null })
})

test('replaces the embedded metadata with the metadata part of an upload', () => {
  const metadata = readTexts(
    { invokeai_metadata: '{"positive_prompt":"old"}' },
    '{"positive_prompt":"new","extra":[1]}',
  )

  expect(metadata.invokeai).toBe('{"positive_prompt":"new","extra":[1]}')
  expect(metadata.normal?.prompt).toBe('new')
})

test('preserves every digit of InvokeAI’s metadata and replaces Python’s NaN with null', () => {
  const written = '{"seed": 18446744073709551615, "cfg_scale": 7.0}'

  const exact = readTexts({ invokeai_metadata: written })
  const broken = readTexts({ invokeai_metadata: '{"cfg_scale": NaN}' })

  expect(exact.invokeai).toBe(written)
  expect(exact.normal?.seed).toBe('18446744073709551615')
  expect(broken.invokeai).toBe('{"cfg_scale":null}')
})

test.each(['[1,2]', '"text"', '7', 'null', '{broken', ''])(
  'ignores a metadata part that is not an object: %s',
  (given) => {
    expect(readTexts({}, given)).toMatchObject({ invokeai: null, normal: null })
  },
)

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

test.each([
  ['broken JSON', '{"positive_prompt": '],
  ['an array', '[]'],
  ['100,000 levels', nested(100_000)],
  ['5 MB', `{"positive_prompt":"${'x'.repeat(5_000_000)}"}`],
  ['odd types', '{"positive_prompt":{"a":1},"seed":"x","loras":{"a":1},"model":[],"steps":null}'],
])('survives hostile metadata: %s', (_, text) => {
  for (const keyword of ['invokeai_metadata', 'prompt', 'workflow', 'parameters']) {
    expect(readTexts({ [keyword]: text }).normal?.prompt ?? '').not.toContain('xxxx'.repeat(50_000))
  }
})

test('leaves out texts beyond 4 million characters', () => {
  const { normal } = readTexts({ a: 'x'.repeat(3_000_000), b: 'y'.repeat(3_000_000), c: 'z' })

  expect(Object.keys(normal?.raw ?? {})).toEqual(['a', 'c'])
})

test('removes NUL and replaces lone surrogates', () => {
  const { normal } = readTexts({
    parameters: 'a\0 cat \ud800!\nSteps: 20, Sampler: Euler, Seed: 1',
    invokeai_other: 'x\0y',
  })

  expect(normal?.prompt).toBe('a cat \ufffd!')
  expect(JSON.stringify(normal)).not.toContain('\\u0000')
})

test('accepts text names that are also properties of every object', () => {
  const { normal } = readTexts({ constructor: 'x', parameters: 'a\nSteps: 1, Seed: 2' })

  expect(normal).toMatchObject({ prompt: 'a', seed: 2, raw: { constructor: 'x' } })
})

test.each([
  ['18446744073709551615', '18446744073709551615'],
  ['9007199254740993', '9007199254740993'],
  ['9007199254740991', 9_007_199_254_740_991],
  ['-7', -7],
  ['1e30', null],
])('reads the seed %s with all digits', (written, seed) => {
  const prompt = `{"3":{"class_type":"KSampler","inputs":{"seed":${written},"latent_image":["4",0]}}}`
  const parameters = `a cat\nSteps: 20, Sampler: Euler, Seed: ${written}`

  expect(readTexts({ prompt }).normal).toMatchObject({ generator: 'comfyui', seed })
  expect(readTexts({ parameters }).normal).toMatchObject({ generator: 'a1111', seed })
})

test('does not store given metadata that equals the embedded metadata', () => {
  const text = '{"seed":1}'

  expect(readTexts({ invokeai_metadata: text }, text)).toEqual(
    readTexts({ invokeai_metadata: text }),
  )
  expect(readTexts({ invokeai_metadata: text }, '{"seed":2}').normal?.raw).toEqual({
    invokeai_metadata: text,
    metadata: '{"seed":2}',
  })
})
