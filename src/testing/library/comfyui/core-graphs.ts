import { type ComfyuiExample, example, node, text } from './comfyui-example.ts'

/** Graphs of ComfyUI's own nodes, written from their public documentation. */
export const coreExamples: readonly ComfyuiExample[] = [
  example('core nodes', {}, { width: 1024, height: 768, sampler: 'euler', scheduler: 'normal' }),
  example(
    'core: separate noise, guider and schedule',
    {
      5: node('SamplerCustomAdvanced', {
        noise: ['20', 0],
        guider: ['21', 0],
        sampler: ['22', 0],
        sigmas: ['23', 0],
        latent_image: ['4', 0],
      }),
      20: node('RandomNoise', { noise_seed: 321 }),
      21: node('CFGGuider', {
        cfg: 3,
        model: ['1', 0],
        positive: ['2', 0],
        negative: ['3', 0],
      }),
      22: node('KSamplerSelect', { sampler_name: 'res_multistep' }),
      23: node('SplitSigmas', { sigmas: ['24', 0], step: 5 }),
      24: node('BasicScheduler', { scheduler: 'beta', steps: 20, model: ['1', 0] }),
    },
    { cfg_scale: 3, sampler: 'res_multistep', scheduler: 'beta' },
  ),
  example(
    'core: Flux with one guided prompt',
    {
      2: node('CLIPTextEncodeFlux', {
        clip_l: 'POS tall grass',
        t5xxl: 'POS tall grass',
        guidance: 3.5,
        clip: ['1', 1],
      }),
      5: node('SamplerCustomAdvanced', {
        noise: ['20', 0],
        guider: ['21', 0],
        sigmas: ['24', 0],
        latent_image: ['4', 0],
      }),
      20: node('RandomNoise', { noise_seed: 321 }),
      21: node('BasicGuider', { model: ['1', 0], conditioning: ['2', 0] }),
      24: node('BasicScheduler', { scheduler: 'simple', steps: 20, model: ['1', 0] }),
    },
    { negative_prompt: null, parameters: { Guidance: '3.5' } },
  ),
  example(
    'core: no negative prompt after ConditioningZeroOut',
    {
      sampler: { negative: ['20', 0] },
      20: node('ConditioningZeroOut', { conditioning: ['2', 0] }),
    },
    { negative_prompt: null },
  ),
  example('core: joined strings and linked numbers', {
    sampler: { seed: ['23', 0], steps: ['24', 0] },
    2: text(['21', 0]),
    21: node('StringConcatenate', { string_b: 'tall grass', delimiter: ' ', string_a: ['22', 0] }),
    22: node('PrimitiveStringMultiline', { value: 'POS' }),
    23: node('PrimitiveInt', { value: 321 }),
    24: node('PrimitiveInt', { value: 20 }),
  }),
  example('core: a replaced word', {
    2: text(['20', 0]),
    20: node('StringReplace', { string: 'POS tall weed', find: 'weed', replace: 'grass' }),
  }),
  example(
    'core: areas',
    {
      sampler: { positive: ['20', 0] },
      20: node('ConditioningCombine', { conditioning_1: ['21', 0], conditioning_2: ['22', 0] }),
      21: node('ConditioningSetArea', { width: 64, height: 64, conditioning: ['2', 0] }),
      22: node('ConditioningSetTimestepRange', { start: 0, end: 1, conditioning: ['23', 0] }),
      23: text('a hill'),
    },
    { prompt: 'POS tall grass\na hill' },
  ),
  example('core: ControlNet with both sides', {
    sampler: { positive: ['20', 0], negative: ['20', 1] },
    20: node('ControlNetApplyAdvanced', {
      strength: 1,
      positive: ['2', 0],
      negative: ['3', 0],
      image: ['21', 0],
    }),
    21: node('LoadImage', { image: 'pose.png' }),
  }),
  example(
    'core: SDXL with equal and different texts',
    {
      2: node('CLIPTextEncodeSDXL', { width: 8, text_g: 'POS tall grass', text_l: 'wind' }),
      3: node('CLIPTextEncodeSDXL', { text_g: 'NEG noise', text_l: 'NEG noise' }),
    },
    { prompt: 'POS tall grass\nwind' },
  ),
  example(
    'core: base and refiner',
    {
      8: node('VAEDecode', { samples: ['20', 0], vae: ['1', 2] }),
      20: node('KSamplerAdvanced', {
        noise_seed: 0,
        steps: 25,
        cfg: 8,
        model: ['21', 0],
        positive: ['22', 0],
        negative: ['3', 0],
        latent_image: ['5', 0],
      }),
      21: node('CheckpointLoaderSimple', { ckpt_name: 'refiner.safetensors' }),
      22: text('refined'),
    },
    {
      passes: [
        { seed: 321, steps: 20, model: 'meadowXL' },
        { seed: 0, steps: 25, model: 'refiner' },
      ],
    },
  ),
  example(
    'core: LoRAs in the order in which they apply',
    {
      sampler: { model: ['20', 0] },
      20: node('LoraLoaderModelOnly', {
        lora_name: 'b.safetensors',
        strength_model: 0.5,
        model: ['21', 0],
      }),
      21: node('LoraLoader', {
        lora_name: 'dir/a.safetensors',
        strength_model: 1,
        strength_clip: 1,
        model: ['1', 0],
        clip: ['1', 1],
      }),
    },
    {
      loras: [
        { name: 'a', weight: 1 },
        { name: 'b', weight: 0.5 },
      ],
    },
  ),
  example('core: a subgraph and a chosen branch', {
    sampler: { positive: ['57:3', 0] },
    '57:3': text(['57:4', 0]),
    '57:4': node('ComfySwitchNode', {
      switch: false,
      on_false: 'POS tall grass',
      on_true: 'not this',
    }),
  }),
  example(
    'core: Qwen edits an image',
    {
      2: node('TextEncodeQwenImageEditPlus', {
        prompt: 'POS tall grass',
        image1: ['20', 0],
        vae: ['1', 2],
      }),
      3: node('TextEncodeQwenImageEditPlus', { prompt: '', image1: ['20', 0] }),
      20: node('LoadImage', { image: 'a photo, large.png' }),
      1: node('UNETLoader', { unet_name: 'meadowXL.safetensors', weight_dtype: 'default' }),
    },
    { negative_prompt: null },
  ),
  example(
    'core: an image becomes a video',
    {
      sampler: { positive: ['20', 0], negative: ['20', 1], latent_image: ['20', 2] },
      20: node('WanImageToVideo', {
        width: 832,
        height: 480,
        length: 81,
        positive: ['2', 0],
        negative: ['3', 0],
      }),
      9: node('SaveVideo', { video: ['21', 0], filename_prefix: 'v' }),
      21: node('CreateVideo', { images: ['8', 0], fps: 16 }),
    },
    { width: 832, height: 480 },
  ),
  {
    title: 'core: a service without a sampler',
    graph: {
      1: node('FluxProUltraImageNode', {
        prompt: 'POS tall grass',
        seed: 321,
        aspect_ratio: '16:9',
      }),
      2: node('SaveImage', { images: ['1', 0], filename_prefix: 'x' }),
    },
    fields: {
      prompt: 'POS tall grass',
      negative_prompt: null,
      seed: 321,
      model: 'FluxProUltraImageNode',
    },
  },
  example('a preview of another sampling', {
    10: node('PreviewImage', { images: ['11', 0] }),
    11: node('VAEDecode', { samples: ['12', 0] }),
    12: node('KSampler', { seed: 1, steps: 2, positive: ['13', 0], latent_image: ['4', 0] }),
    13: text('not this'),
  }),
]
