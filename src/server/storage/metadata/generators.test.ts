import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generators } from '#contract/generators.ts'
import { xmpPacket } from '#testing/library/embed-metadata.ts'
import { readEmbeddedMetadata } from './read-embedded-metadata.ts'

const read = (texts: Record<string, string>, xmp: string | null = null) =>
  readEmbeddedMetadata({
    comments: Object.entries(texts).map(([keyword, text]) => ({ keyword, text })),
    exif: null,
    xmp: xmp === null ? null : Buffer.from(xmp),
    given: null,
  }).metadata.normal

const settings = 'Steps: 20, Sampler: Euler a, CFG scale: 7, Seed: 42, Size: 640x960'
const swarm = {
  prompt: 'an owl',
  negativeprompt: 'fog',
  model: 'SDXL/clock_v2.safetensors',
  seed: 18446744073709,
  steps: 26,
  cfgscale: 4.5,
  width: 1024,
  height: 768,
  swarm_version: '0.9.6.0',
}
const easy = {
  prompt: 'boats',
  negative_prompt: 'wet',
  seed: 90210,
  use_stable_diffusion_model: 'C:\\models\\boats_v1.safetensors',
  sampler_name: 'euler_a',
  width: 512,
  height: 640,
  num_inference_steps: 22,
  guidance_scale: 7.5,
}
const draw = {
  c: 'a harbour',
  uc: 'frame',
  model: 'harbour_q8p.ckpt',
  sampler: 'DPM++ 2M AYS',
  seed: 66123,
  steps: 18,
  scale: 4.2,
  size: '1024x768',
  lora: [{ model: 'brush_f16.ckpt', weight: 0.5 }],
}
const fooocus = {
  base_model: 'bird_v9',
  guidance_scale: 4,
  loras: [['offset.safetensors', 0.1, '48']],
  metadata_scheme: 'fooocus',
  negative_prompt: 'cartoon',
  performance: 'Speed',
  prompt: 'a barn',
  resolution: '(1152, 896)',
  sampler: 'dpmpp_2m_sde_gpu',
  scheduler: 'karras',
  seed: '2128310',
  steps: 30,
  version: 'Fooocus v2.5.5',
}
const ruined = {
  Prompt: 'a tower',
  Negative: 'sun',
  steps: 12,
  cfg: 3,
  width: 1152,
  height: 896,
  seed: 5,
  sampler_name: 'dpmpp_2m_sde_gpu',
  scheduler: 'karras',
  base_model_name: 'tower.safetensors',
  loras: [['abc123', '0.5 - moss.safetensors']],
  software: 'RuinedFooocus',
}
const tensor = {
  prompt: 'a fox',
  negativePrompt: 'cat',
  width: 832,
  height: 1216,
  samplerName: 'dpmpp_2m',
  schedulerName: 'karras',
  steps: 25,
  cfgScale: 7,
  seed: '123456789012',
  baseModel: { modelFileName: 'fox_xl.safetensors', hash: 'ab' },
  models: [
    { label: 'Snow', type: 'LORA', modelFileName: 'snow.safetensors', weight: 0.8 },
    { type: 'BASE_MODEL', modelFileName: 'fox_xl' },
  ],
}
const resources =
  '[{"type":"checkpoint","modelVersionId":1,"modelName":"Garden XL","modelVersionName":"v2"},{"type":"lora","weight":0.7,"modelVersionId":2,"modelName":"Moon, glow"}]'
const node = (type: string, inputs: Record<string, unknown>) => ({ class_type: type, inputs })
const graph = {
  3: node('KSampler', { seed: 1, steps: 9, positive: ['6', 0], latent_image: ['5', 0] }),
  5: node('EmptyLatentImage', { width: 64, height: 32 }),
  6: node('CLIPTextEncode', { text: 'of the graph' }),
}
const json = (value: unknown): string => JSON.stringify(value)

test.each<[string, Record<string, string>, Record<string, unknown>]>([
  [
    'InvokeAI 2',
    {
      'sd-metadata': json({
        model_weights: 'sd-1.5',
        app_version: '2.3.5',
        image: {
          prompt: [{ prompt: 'a robot [rust]', weight: 1 }],
          seed: 11,
          steps: 40,
          cfg_scale: 7.5,
          sampler: 'k_lms',
          width: 512,
          height: 640,
        },
      }),
    },
    {
      generator: 'invokeai',
      generator_version: '2.3.5',
      prompt: 'a robot',
      negative_prompt: 'rust',
      model: 'sd-1.5',
      seed: 11,
      sampler: 'k_lms',
      height: 640,
    },
  ],
  [
    'InvokeAI 1',
    { Dream: '"a "tin" robot [rust] at sea" -s 40 -S11223344 -W 512 -H 640 -C 7.5 -A k_lms' },
    {
      generator: 'invokeai',
      prompt: 'a "tin" robot  at sea',
      negative_prompt: 'rust',
      seed: 11223344,
      steps: 40,
      cfg_scale: 7.5,
      sampler: 'k_lms',
      width: 512,
      height: 640,
    },
  ],
  [
    'SD.Next',
    { parameters: `a\n${settings}, Model: m, App: SD.Next, Version: 8b5e6d5, Pipeline: X` },
    { generator: 'sdnext', generator_version: '8b5e6d5', model: 'm', seed: 42 },
  ],
  [
    'SD.Next with a backend',
    { parameters: `a\n${settings}, Backend: Diffusers, Version: 1` },
    { generator: 'sdnext' },
  ],
  [
    'Forge',
    {
      parameters: `a\n${settings}, Distilled CFG Scale: 3.5, Version: f2.0.1v1.10.1, Module 1: ae`,
    },
    { generator: 'forge', parameters: { 'Distilled CFG Scale': '3.5', 'Module 1': 'ae' } },
  ],
  [
    'reForge',
    { parameters: `a\n${settings}, Version: f1.0.0v2-v1.10.1RC-latest-2176-gae278f79` },
    { generator: 'reforge' },
  ],
  [
    'Krita',
    {
      parameters: `a <lora:fur:0.7>\nNegative prompt: b\nSteps: 20, Sampler: Euler - euler_a, CFG scale: 7.5, Seed: 42, Size: 512x768, Model hash: unknown, Model: m.ckpt, Denoising strength: 0.8`,
    },
    {
      generator: 'kritaai',
      model: 'm',
      loras: [{ name: 'fur', weight: 0.7 }],
      parameters: { 'Denoising strength': '0.8' },
    },
  ],
  [
    'Krita without a negative prompt',
    { parameters: `a\nNegative prompt: \n${settings}, Model hash: unknown, Model: Unknown` },
    { generator: 'kritaai', negative_prompt: null },
  ],
  [
    'Civitai',
    {
      parameters: `a garden\nNegative prompt: ugly\n${settings}, Clip skip: 2, Created Date: 2025, Civitai resources: ${resources}, Civitai metadata: {}`,
    },
    {
      generator: 'civitai',
      model: 'Garden XL',
      loras: [{ name: 'Moon, glow', weight: 0.7 }],
      seed: 42,
      parameters: { 'Model version': 'v2' },
    },
  ],
  [
    'Civitai on one line',
    {
      parameters: `a garden Negative prompt: ugly ${settings}, Civitai resources: [{"type":"lora","modelVersionId":77,"weight":1}], Civitai metadata: {}`,
    },
    { generator: 'civitai', negative_prompt: 'ugly', loras: [{ name: 'Civitai 77', weight: 1 }] },
  ],
  [
    'Civitai’s graph',
    {
      user_comment: json({
        ...graph,
        extra: {
          airs: ['urn:air:sdxl:checkpoint:civitai:1@290640', 'urn:air:sdxl:lora:civitai:2@77'],
        },
        extraMetadata: json({
          prompt: 'typed',
          negativePrompt: 'ugly',
          steps: 30,
          cfgScale: 5,
          sampler: 'Euler a',
          seed: 8,
          resources: [{ modelVersionId: 290640 }, { modelVersionId: 77, strength: 0.6 }],
        }),
      }),
    },
    {
      generator: 'civitai',
      prompt: 'typed',
      negative_prompt: 'ugly',
      seed: 8,
      steps: 30,
      model: 'Civitai 290640',
      loras: [{ name: 'Civitai 77', weight: 0.6 }],
      width: 64,
    },
  ],
  [
    'SwarmUI',
    {
      parameters: JSON.stringify(
        {
          sui_image_params: {
            ...swarm,
            sampler: 'dpmpp_2m',
            scheduler: 'karras',
            loras: ['brass'],
            loraweights: ['0.6'],
          },
        },
        null,
        2,
      ),
    },
    {
      generator: 'swarmui',
      generator_version: '0.9.6.0',
      prompt: 'an owl',
      negative_prompt: 'fog',
      model: 'clock_v2',
      cfg_scale: 4.5,
      sampler: 'dpmpp_2m',
      loras: [{ name: 'brass', weight: 0.6 }],
      height: 768,
    },
  ],
  [
    'SwarmUI in a comment',
    {
      user_comment: json({
        sui_image_params: { ...swarm, comfyuisampler: 'euler', prompt: 'an owl <lora:brass:0.4>' },
      }),
    },
    { generator: 'swarmui', sampler: 'euler', loras: [{ name: 'brass', weight: 0.4 }] },
  ],
  [
    'Fooocus',
    { fooocus_scheme: 'fooocus', parameters: json(fooocus) },
    {
      generator: 'fooocus',
      prompt: 'a barn',
      negative_prompt: 'cartoon',
      model: 'bird_v9',
      seed: 2128310,
      sampler: 'dpmpp_2m_sde_gpu',
      loras: [{ name: 'offset', weight: 0.1 }],
      width: 1152,
      height: 896,
      parameters: { Performance: 'Speed' },
    },
  ],
  [
    'Fooocus in A1111’s form',
    {
      fooocus_scheme: 'a1111',
      parameters:
        'a barn, cinematic\nNegative prompt: cartoon, sketch\nSteps: 30, Sampler: DPM++ 2M SDE Karras, Seed: 21, Size: 1152x896, CFG scale: 4, Sharpness: 2, ADM Guidance: "(1.5, 0.8, 0.3)", Model: bird_v9, Performance: Speed, Scheduler: karras, Raw prompt: a barn, Raw negative prompt: cartoon, Lora hashes: "offset: 4852, x: aa", Lora weights: "offset: 0.1, x: 1", Version: Fooocus v2.5.5',
    },
    {
      generator: 'fooocus',
      generator_version: 'Fooocus v2.5.5',
      prompt: 'a barn',
      scheduler: 'karras',
      loras: [
        { name: 'offset', weight: 0.1 },
        { name: 'x', weight: 1 },
      ],
    },
  ],
  [
    'Fooocus’s first form',
    {
      Comment: json({
        Prompt: 'a barn',
        'Negative Prompt': 'cartoon',
        Performance: 'Speed',
        Resolution: '(1152, 896)',
        'Base Model': 'bird.safetensors',
        Seed: 7,
        'LoRA 1': 'offset.safetensors : 0.5',
      }),
    },
    { generator: 'fooocus', model: 'bird', width: 1152, loras: [{ name: 'offset', weight: 0.5 }] },
  ],
  [
    'RuinedFooocus',
    { parameters: json(ruined) },
    {
      generator: 'ruinedfooocus',
      prompt: 'a tower',
      negative_prompt: 'sun',
      model: 'tower',
      cfg_scale: 3,
      loras: [{ name: 'moss', weight: 0.5 }],
    },
  ],
  [
    'RuinedFooocus in A1111’s form',
    { parameters: `a\n${settings}, Model: tower, Version: RuinedFooocus` },
    { generator: 'ruinedfooocus', model: 'tower' },
  ],
  [
    'Easy Diffusion',
    Object.fromEntries(Object.entries(easy).map(([key, value]) => [key, String(value)])),
    {
      generator: 'easydiffusion',
      prompt: 'boats',
      model: 'boats_v1',
      steps: 22,
      cfg_scale: 7.5,
      sampler: 'euler_a',
    },
  ],
  [
    'Easy Diffusion in a comment',
    { user_comment: json({ ...easy, use_lora_model: ['fur', 'None'], lora_alpha: [0.4, 0] }) },
    { generator: 'easydiffusion', loras: [{ name: 'fur', weight: 0.4 }], height: 640 },
  ],
  [
    'Easy Diffusion with names for people',
    {
      comment: json({
        Prompt: 'boats',
        'Stable Diffusion model': 'b',
        Seed: 3,
        Steps: 9,
        'Guidance Scale': 2,
        'LoRA model': "['fur', 'rain']",
        'LoRA Strength': '[0.5, 1]',
      }),
    },
    {
      generator: 'easydiffusion',
      prompt: 'boats',
      seed: 3,
      loras: [
        { name: 'fur', weight: 0.5 },
        { name: 'rain', weight: 1 },
      ],
    },
  ],
  [
    'Draw Things in a PNG comment',
    { Software: 'Draw Things', Comment: json(draw) },
    {
      generator: 'drawthings',
      prompt: 'a harbour',
      negative_prompt: 'frame',
      model: 'harbour_q8p',
      height: 768,
      loras: [{ name: 'brush_f16', weight: 0.5 }],
    },
  ],
  [
    'Draw Things’ description',
    {
      Software: 'Draw Things',
      Description:
        'a harbour\n-frame\nSteps: 18, Sampler: DPM++ 2M AYS, Guidance Scale: 4.2, Seed: 66123, Size: 1024x768, Model: harbour_q8p.ckpt, LoRA 1 Model: brush.ckpt, LoRA 1 Weight: 0.5',
    },
    {
      generator: 'drawthings',
      prompt: 'a harbour',
      negative_prompt: 'frame',
      cfg_scale: 4.2,
      seed: 66123,
      loras: [{ name: 'brush', weight: 0.5 }],
    },
  ],
  [
    'DiffusionBee',
    {
      Software: 'DiffusionBee 2',
      Comment: json({
        prompt: 'bees',
        negative_prompt: 'wasps',
        seed: 4,
        num_steps: 25,
        guidance_scale: 7.5,
        img_width: 512,
        img_height: 512,
        model: 'bee',
      }),
    },
    {
      generator: 'diffusionbee',
      prompt: 'bees',
      negative_prompt: 'wasps',
      steps: 25,
      cfg_scale: 7.5,
      width: 512,
    },
  ],
  [
    'DiffusionBee with text chunks',
    { Software: 'DiffusionBee', prompt: 'bees', seed: '4', steps: '25' },
    { generator: 'diffusionbee', prompt: 'bees', seed: 4, steps: 25 },
  ],
  [
    'TensorArt',
    { generation_data: `${json(tensor)}\0` },
    {
      generator: 'tensorart',
      prompt: 'a fox',
      negative_prompt: 'cat',
      model: 'fox_xl',
      seed: 123456789012,
      sampler: 'dpmpp_2m',
      cfg_scale: 7,
      loras: [{ name: 'snow', weight: 0.8 }],
    },
  ],
  [
    'TensorArt with a graph',
    { generation_data: json({ prompt: 'a fox', seed: '2' }), prompt: json(graph) },
    { generator: 'tensorart', prompt: 'a fox', seed: 2, steps: 9, width: 64 },
  ],
  [
    'ComfyUI with the text of a node that saves',
    {
      prompt: json(graph),
      parameters: `resolved\nNegative prompt: b\n${settings}, Version: ComfyUI`,
    },
    { generator: 'comfyui', prompt: 'resolved', seed: 42, width: 640 },
  ],
  [
    'ComfyUI in a comment',
    { user_comment: json({ prompt: graph, workflow: {} }) },
    { generator: 'comfyui', prompt: 'of the graph', steps: 9 },
  ],
  [
    'an unknown program',
    { Comment: json({ prompt: 'a', seed: 3, cfg_scale: 2, loras: [{ name: 'fur', weight: 1 }] }) },
    { generator: null, prompt: 'a', seed: 3, loras: [{ name: 'fur', weight: 1 }] },
  ],
])('reads %s', (_, texts, expected) => {
  expect(read(texts)).toMatchObject(expected)
})

test.each(['element', 'alternatives', 'attribute'] as const)(
  'reads Draw Things from XMP as %s',
  (form) => {
    const packet = xmpPacket(
      { 'xmp:CreatorTool': 'Draw Things', 'exif:UserComment': json(draw) },
      form,
    )

    expect(read({}, packet)).toMatchObject({
      generator: 'drawthings',
      prompt: 'a harbour',
      seed: 66123,
    })
  },
)

const sourceTypes = 'http://cv.iptc.org/newscodes/digitalsourcetype'

test.each([
  [`${sourceTypes}/trainedAlgorithmicMedia`, 'Made with Google AI', 'gemini'],
  [`${sourceTypes}/compositeWithTrainedAlgorithmicMedia`, 'A newspaper', null],
])('reads the source type %s and the credit %s in XMP', (uri, credit, generator) => {
  const packet = xmpPacket({ 'Iptc4xmpExt:DigitalSourceType': uri, 'photoshop:Credit': credit })

  expect(read({}, packet)).toMatchObject({ generator, source_type: uri.split('/').at(-1) })
})

test('keeps the properties of XMP as raw fields', () => {
  const packet = xmpPacket({ 'dc:description': 'a < b & "c"', 'xmp:CreatorTool': 'X' })

  expect(read({}, packet)?.raw).toEqual({
    xmp: { 'dc:description': 'a < b & "c"', 'xmp:CreatorTool': 'X' },
  })
})

test('reads the properties before a fault in XMP, and resolves no entities', () => {
  const packet = xmpPacket({ 'dc:description': 'seen' }).replace(
    '</rdf:Description>',
    '<dc:title>&lol;',
  )

  expect(
    read({}, `<!DOCTYPE x [<!ENTITY lol "${'lol'.repeat(1000)}">]>${packet}`)?.raw,
  ).toMatchObject({
    xmp: { 'dc:description': 'seen' },
  })
})

test.each(Object.values(generators))(
  'the list of generators has a row for $name',
  async ({ name }) => {
    const list = await readFile(new URL('../../../../docs/generators.md', import.meta.url), 'utf8')

    expect(list.split('\n').map((line) => line.split('|')[1]?.trim())).toContain(name)
  },
)
