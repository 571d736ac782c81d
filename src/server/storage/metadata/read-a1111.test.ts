import { expect, test } from 'vitest'
import { isA1111, readA1111 } from './read-a1111.ts'

test('separates multi-line prompts, quoted settings and LoRAs', () => {
  const read = readA1111(
    [
      'a cat, <lora:fur:0.8>',
      'in the rain <lora:rain-xl:1>',
      'Negative prompt: dog,',
      'text',
      'Steps: 30, Sampler: DPM++ 2M, Schedule type: Karras, CFG scale: 6.5, Seed: 42, Size: 640x960, Model hash: abc, Model: folder\\cat_v2.safetensors, Lora hashes: "fur: 1, rain: 2", Version: v1.10',
    ].join('\r\n'),
  )

  expect(read).toEqual({
    prompt: 'a cat, <lora:fur:0.8>\nin the rain <lora:rain-xl:1>',
    negative_prompt: 'dog,\ntext',
    model: 'cat_v2',
    seed: 42,
    steps: 30,
    cfg_scale: 6.5,
    sampler: 'DPM++ 2M',
    scheduler: 'Karras',
    loras: [
      { name: 'fur', weight: 0.8 },
      { name: 'rain-xl', weight: 1 },
    ],
    width: 640,
    height: 960,
  })
})

test('returns null without a negative prompt', () => {
  expect(readA1111('a cat\nSteps: 20, Seed: 1')).toMatchObject({ negative_prompt: null, seed: 1 })
})

test('reads a text without settings as the prompt', () => {
  expect(readA1111('just words')).toMatchObject({ prompt: 'just words', steps: null, seed: null })
})

test.each([
  ['a cat\nSteps: 20, Sampler: x', true],
  ['Steps to take: 5', false],
  ['{"prompt": 1}', false],
])('detects whether %j is A1111: %s', (text, expected) => {
  expect(isA1111(text)).toBe(expected)
})

test('reads a megabyte without a comma in linear time', () => {
  expect(readA1111(`x\nSteps: 20, ${'a b '.repeat(250_000)}`)).toMatchObject({
    prompt: 'x',
    steps: 20,
  })
})
