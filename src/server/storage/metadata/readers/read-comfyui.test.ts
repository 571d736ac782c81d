import { expect, test } from 'vitest'
import { readComfyui } from './read-comfyui.ts'

const node = (type: string, inputs: Record<string, unknown>) => ({ class_type: type, inputs })

test('finds settings on separate nodes (SamplerCustomAdvanced)', () => {
  const read = readComfyui({
    1: node('SamplerCustomAdvanced', {
      noise: ['2', 0],
      guider: ['3', 0],
      sampler: ['4', 0],
      sigmas: ['5', 0],
      latent_image: ['6', 0],
    }),
    2: node('RandomNoise', { noise_seed: 99 }),
    3: node('BasicGuider', { model: ['7', 0], conditioning: ['8', 0] }),
    4: node('KSamplerSelect', { sampler_name: 'euler' }),
    5: node('BasicScheduler', { scheduler: 'simple', steps: 4, model: ['7', 0] }),
    6: node('EmptyLatentImage', { width: 1024, height: 512 }),
    7: node('LoraLoaderModelOnly', {
      lora_name: 'a/ink.safetensors',
      strength_model: 0.7,
      model: ['9', 0],
    }),
    8: node('FluxGuidance', { guidance: 3.5, conditioning: ['10', 0] }),
    9: node('UNETLoader', { unet_name: 'flux1-dev.safetensors' }),
    10: node('CLIPTextEncode', { text: 'a bottle', clip: ['11', 0] }),
    11: node('DualCLIPLoader', { clip_name1: 't5' }),
  })

  expect(read).toMatchObject({
    prompt: 'a bottle',
    negative_prompt: null,
    model: 'flux1-dev',
    seed: 99,
    steps: 4,
    sampler: 'euler',
    scheduler: 'simple',
    loras: [{ name: 'ink', weight: 0.7 }],
    width: 1024,
    height: 512,
  })
})

test('separates the positive and negative side behind a ControlNet', () => {
  const read = readComfyui({
    1: node('KSampler', {
      seed: 1,
      positive: ['2', 0],
      negative: ['2', 1],
      latent_image: ['5', 0],
    }),
    2: node('ControlNetApplyAdvanced', { positive: ['3', 0], negative: ['4', 0], strength: 1 }),
    3: node('CLIPTextEncode', { text: 'yes' }),
    4: node('CLIPTextEncode', { text: 'no' }),
    5: node('EmptyLatentImage', { width: 64, height: 64 }),
  })

  expect(read).toMatchObject({ prompt: 'yes', negative_prompt: 'no' })
})

test('uses the first of two passes, regardless of the node order', () => {
  const read = readComfyui({
    1: node('KSampler', { seed: 2, steps: 9, denoise: 0.5, latent_image: ['2', 0] }),
    2: node('LatentUpscale', { width: 2048, height: 2048, samples: ['3', 0] }),
    3: node('KSampler', { seed: 1, steps: 20, latent_image: ['4', 0] }),
    4: node('EmptyLatentImage', { width: 512, height: 512 }),
  })

  expect(read).toMatchObject({ seed: 1, steps: 20, width: 512 })
})

test('follows a link to a text node', () => {
  const read = readComfyui({
    1: node('KSampler', { seed: ['5', 0], positive: ['2', 0], latent_image: ['4', 0] }),
    2: node('CLIPTextEncode', { text: ['3', 0] }),
    3: node('PrimitiveString', { value: 'from afar' }),
    4: node('EmptyLatentImage', {}),
    5: node('Seed', { seed: 5 }),
  })

  expect(read).toMatchObject({ prompt: 'from afar', seed: 5 })
})

test('ends in a cyclic graph', () => {
  const read = readComfyui({
    1: node('KSampler', { seed: 1, positive: ['2', 0], latent_image: ['1', 0] }),
    2: node('Loop', { conditioning: ['2', 0], text: ['1', 0] }),
  })

  expect(read).toMatchObject({ seed: 1, prompt: null })
})

test.each<[Record<string, unknown>]>([[{}], [{ a: 1 }], [{ 1: { class_type: 7 } }], [{ 1: [] }]])(
  'returns null for %j, which is not a graph',
  (prompt) => {
    expect(readComfyui(prompt)).toBeNull()
  },
)

test('returns no fields for a graph without a sampler', () => {
  expect(readComfyui({ 1: node('LoadImage', { image: 'a.png' }) })).toEqual({})
})
