import { expect, test } from 'vitest'
import { readEmbeddedMetadata } from '#server/storage/metadata/read-embedded-metadata.ts'

const settings = {
  prompt: 'fox spirit in rain',
  steps: 23,
  height: 1216,
  width: 832,
  scale: 5.5,
  seed: 1234567,
  noise_schedule: 'karras',
  sampler: 'k_euler_ancestral',
  uc: 'bad anatomy',
  cfg_rescale: 0.2,
  sm: false,
  request_type: 'PromptGenerateRequest',
}
const caption = (base: string, ...characters: string[]) => ({
  caption: {
    base_caption: base,
    char_captions: characters.map((char_caption) => ({
      char_caption,
      centers: [{ x: 0.5, y: 0.5 }],
    })),
  },
})
const v4 = {
  ...settings,
  v4_prompt: caption('two foxes', 'girl, red umbrella', 'boy'),
  v4_negative_prompt: caption('bad hands', 'blue'),
  signed_hash: 'x',
}
const textsOf = (comment: object, source: string) => ({
  Title: 'NovelAI generated image',
  Description: 'fox spirit in rain',
  Software: 'NovelAI',
  Source: source,
  Comment: JSON.stringify(comment),
})

const read = ({
  texts = {},
  hidden = null,
}: {
  texts?: Record<string, string>
  hidden?: string | null
}) =>
  readEmbeddedMetadata({
    comments: Object.entries(texts).map(([keyword, text]) => ({ keyword, text })),
    exif: null,
    hidden,
    given: null,
  }).metadata.normal

test.each([
  ['v1', 'Stable Diffusion 81274D13', 'Stable Diffusion', null],
  ['v3', 'Stable Diffusion XL C1E1DE52', 'Stable Diffusion XL', null],
  ['v4.5', 'NovelAI Diffusion V4.5 4BDE2A90', 'NovelAI Diffusion V4.5', 'NovelAI Diffusion V4.5'],
])('reads the texts of NovelAI %s', (_, source, model, version) => {
  const normal = read({ texts: textsOf(settings, source) })

  expect(normal).toMatchObject({
    generator: 'novelai',
    prompt: 'fox spirit in rain',
    negative_prompt: 'bad anatomy',
    model,
    seed: 1234567,
    steps: 23,
    cfg_scale: 5.5,
    sampler: 'k_euler_ancestral',
    scheduler: 'karras',
    width: 832,
    height: 1216,
    parameters: { 'Prompt guidance rescale': '0.2', Request: 'PromptGenerateRequest' },
  })
  expect(normal?.generator_version ?? null).toBe(version)
})

test('reads the prompts of characters', () => {
  expect(read({ texts: textsOf(v4, 'NovelAI Diffusion V4 37442FCA') })).toMatchObject({
    prompt: 'two foxes',
    negative_prompt: 'bad hands',
    characters: [
      { prompt: 'girl, red umbrella', negative_prompt: 'blue' },
      { prompt: 'boy', negative_prompt: null },
    ],
    parameters: { 'Model hash': '37442FCA' },
  })
})

test('reads the same texts from a hidden JSON object', () => {
  const hidden = JSON.stringify(textsOf(v4, 'NovelAI Diffusion V4.5 4BDE2A90'))

  const normal = read({ hidden })

  expect(normal).toMatchObject({ generator: 'novelai', prompt: 'two foxes', seed: 1234567 })
  expect(normal?.generator_version).toBe('NovelAI Diffusion V4.5')
  expect(normal?.raw).toHaveProperty('Comment')
})

test('reads an image whose texts are only a description', () => {
  const texts = { Software: 'NovelAI', Description: 'a fox', Comment: 'broken {' }

  expect(read({ texts })).toMatchObject({ generator: 'novelai', prompt: 'a fox', seed: null })
})

test.each([
  '{"uc":1,"prompt":2,"steps":[],"scale":{}}',
  '{"v4_prompt":{"caption":{"char_captions":[1,null]}}}',
])('survives odd types: %s', (comment) => {
  expect(read({ texts: { Comment: comment } })).toMatchObject({ generator: 'novelai', steps: null })
})
