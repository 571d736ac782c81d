import { expect, test } from 'vitest'
import { parseA1111 } from './parse-a1111.ts'
import { programOf, readA1111 } from './read-a1111.ts'

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

  expect(read).toMatchObject({
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
  expect(parseA1111(text) !== null).toBe(expected)
})

test('reads a megabyte without a comma in linear time', () => {
  expect(readA1111(`x\nSteps: 20, ${'a b '.repeat(250_000)}`)).toMatchObject({
    prompt: 'x',
    steps: 20,
  })
})

test.each([
  ['Version: v1.10.1', 'a1111'],
  ['Version: f2.0.1v1.10.1-previous-659-gc055f2d4', 'forge'],
  ['Version: f0.0.17v1.8.0rc-latest-276-g29be1da7', 'forge'],
  ['Version: neo', 'forge'],
  ['Version: f1.0.0v2-v1.10.1RC-latest-2176-gae278f79', 'reforge'],
  ['App: SD.Next, Version: 8b5e6d5', 'sdnext'],
])('tells by %s that the program is %s', (setting, program) => {
  const text = parseA1111(`a cat\nSteps: 20, Seed: 1, ${setting}`)

  expect(text && programOf(text)).toBe(program)
})

test('keeps marks that are words of the prompt', () => {
  const read = readA1111(
    [
      'a sign: "Steps: 3, Sampler: none" and "Negative prompt: no"',
      'Steps: 5',
      'Negative prompt: fog',
      'Steps: 20, Sampler: Euler a, Seed: 7',
    ].join('\n'),
  )

  expect(read).toMatchObject({
    prompt: 'a sign: "Steps: 3, Sampler: none" and "Negative prompt: no"\nSteps: 5',
    negative_prompt: 'fog',
    steps: 20,
    sampler: 'Euler a',
  })
})

test('reads settings without steps, and a text of one line', () => {
  expect(readA1111('a cat\nSampler: Euler, CFG scale: 7, Seed: 5, Size: 64x32')).toMatchObject({
    prompt: 'a cat',
    cfg_scale: 7,
    width: 64,
  })
  expect(readA1111('a cat Negative prompt: dog Steps: 20, Sampler: Euler, Seed: 5')).toMatchObject({
    prompt: 'a cat',
    negative_prompt: 'dog',
    seed: 5,
  })
})

test('reads quoted and JSON settings as one value each', () => {
  const read = readA1111(
    'a\nSteps: 9, Model: "odd, name", Hashes: {"model": "1, Seed: 2"}, Lora hashes: "fur: ab, x: cd", Lora weights: "fur: 0.5", Hires upscale: 2, Seed: 3',
  )

  expect(read).toMatchObject({
    model: 'odd, name',
    seed: 3,
    loras: [
      { name: 'fur', weight: 0.5 },
      { name: 'x', weight: null },
    ],
    parameters: { 'Hires upscale': '2' },
  })
})
