import fc from 'fast-check'
import Value from 'typebox/value'
import { expect, test } from 'vitest'
import { NormalMetadata } from '#contract/metadata.ts'
import { exifBlock, exifType, xmpPacket } from '#testing/library/embed-metadata.ts'
import { roundsOf } from '#testing/rounds.ts'
import { openFoundMetadata } from './found-metadata.ts'
import { generatorReaders, readerOrder } from './generators.ts'
import { readEmbeddedMetadata } from './read-embedded-metadata.ts'

/** Keys and names by which the readers recognise their programs, and those that they read. */
const keys = [
  ...['prompt', 'Prompt', 'negative_prompt', 'Negative', 'model', 'base_model', 'base_model_name'],
  ...['seed', 'steps', 'cfg', 'cfgScale', 'guidance_scale', 'scale', 'width', 'size', 'resolution'],
  ...['sampler', 'samplerName', 'scheduler', 'loras', 'lora', 'loraweights', 'lora_combined_1'],
  ...['sui_image_params', 'metadata_scheme', 'software', 'version', 'performance', 'c', 'uc', 'v2'],
  ...['use_stable_diffusion_model', 'use_lora_model', 'lora_alpha', 'baseModel', 'models', 'type'],
  ...['extraMetadata', 'extra', 'airs', 'resources', 'modelVersionId', 'image', 'images', 'air'],
  ...[
    'class_type',
    'inputs',
    'positive',
    'weight',
    'name',
    'model_weights',
    'v4_prompt',
    '__proto__',
    'toString',
  ],
]
const words = [
  ...[
    'fooocus',
    'RuinedFooocus',
    'Fooocus v2',
    'None',
    "['a', 'b']",
    '0.5 - fur',
    '(64, 32)',
    '64x32',
  ],
  ...[
    'urn:air:sdxl:lora:civitai:1@2',
    'a [b',
    '<lora:fur:1>',
    '1e400',
    '-',
    '\0',
    '\ud800',
    'KSampler',
  ],
]
const names = [
  ...[
    'parameters',
    'prompt',
    'workflow',
    'Comment',
    'Description',
    'Software',
    'sd-metadata',
    'Dream',
  ],
  ...[
    'generation_data',
    'invokeai_metadata',
    'user_comment',
    'comment',
    'num_inference_steps',
    'seed',
  ],
  ...['guidance_scale', 'Source', 'Title'],
]
const settings = [
  ...['Steps: 20', 'Seed: x', 'Size: 9x', 'Model: "a', 'Civitai resources: [{', 'Version: Fooocus'],
  ...[
    'Civitai metadata: {}',
    'Lora hashes: "a: b"',
    'Guidance Scale: 3',
    'App: SD.Next',
    'Negative prompt:',
  ],
  ...['Version: ComfyUI', 'Lora_0 Model name: a', 'Model hash: unknown', '"', '-', '\n', '{', ']'],
]

const leaf = fc.oneof(
  fc.constantFrom(...words),
  fc.string({ maxLength: 20 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(null, true, [], {}),
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...keys), tie('tree'), { maxKeys: 8 }),
  ),
}))
const object = fc.dictionary(fc.constantFrom(...keys), tree, { minKeys: 1, maxKeys: 12 })
const text = fc.oneof(
  { weight: 4, arbitrary: object.map((value) => JSON.stringify(value)) },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom(...settings), { maxLength: 10 })
      .map((lines) => `a\n${lines.join(', ')}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"a" -s 4 -S', '"a', 'DiffusionBee', 'Draw Things', 'NovelAI'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
)
const source = fc.record({
  comments: fc.array(fc.record({ keyword: fc.constantFrom(...names), text }), { maxLength: 6 }),
  exif: fc.option(
    text.map((value) =>
      exifBlock(
        [{ tag: 0x010e, type: exifType.ascii, value: Buffer.from(value) }],
        [{ tag: 0x9286, type: exifType.undefined, value: Buffer.from(`UNICODE\0${value}`) }],
      ),
    ),
  ),
  xmp: fc.option(
    fc
      .tuple(fc.constantFrom('exif:UserComment', 'dc:description', 'comfy:prompt'), text)
      .map(([name, value]) => Buffer.from(xmpPacket({ [name]: value }))),
  ),
  hidden: fc.option(text),
  given: fc.option(text),
})

test('no reader throws, and each returns fields of the common form', () => {
  fc.assert(
    fc.property(source, (each) => {
      const found = openFoundMetadata(each)
      for (const generator of readerOrder) {
        const { recognises, read } = generatorReaders[generator]
        recognises(found)
        // Also reads what it does not recognise: the rules may overlap.
        expect(JSON.stringify(read(found) ?? {}).length).toBeLessThan(300_000)
      }
      const { normal } = readEmbeddedMetadata(each).metadata
      expect(normal === null || Value.Check(NormalMetadata, normal)).toBe(true)
    }),
    { numRuns: roundsOf({ usual: 100, all: 500 }) },
  )
})

test('the files made up by the test reach each reader of JSON and text', () => {
  const reached = new Set(
    fc
      .sample(source, { numRuns: 400, seed: 7 })
      .map((each) => readEmbeddedMetadata(each).metadata.normal?.generator),
  )

  expect(reached.size).toBeGreaterThan(7)
})
