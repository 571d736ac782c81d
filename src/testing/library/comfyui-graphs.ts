/** A graph of ComfyUI in the form of `prompt`, and the fields that a reader must find. */
export interface ComfyuiExample {
  title: string
  graph: Record<string, unknown>
  fields: Record<string, unknown>
}

const node = (type: string, inputs: Record<string, unknown>) => ({ class_type: type, inputs })

const text = (words: unknown) => node('CLIPTextEncode', { text: words, clip: ['1', 1] })

/** A text-to-image graph with nodes 1 to 9. `changes` replaces and adds nodes, and inputs of the sampler (`sampler`). */
const graphOf = ({ sampler = {}, ...changes }: Record<string, unknown> = {}) => ({
  1: node('CheckpointLoaderSimple', { ckpt_name: 'meadow/meadowXL.safetensors' }),
  2: text('POS tall grass'),
  3: text('NEG noise'),
  4: node('EmptyLatentImage', { width: 1024, height: 768, batch_size: 1 }),
  5: node('KSampler', {
    seed: 321,
    steps: 20,
    cfg: 5.5,
    sampler_name: 'euler',
    scheduler: 'normal',
    denoise: 1,
    model: ['1', 0],
    positive: ['2', 0],
    negative: ['3', 0],
    latent_image: ['4', 0],
    ...Object(sampler),
  }),
  8: node('VAEDecode', { samples: ['5', 0], vae: ['1', 2] }),
  9: node('SaveImage', { filename_prefix: 'x', images: ['8', 0] }),
  ...changes,
})

const usual = {
  prompt: 'POS tall grass',
  negative_prompt: 'NEG noise',
  model: 'meadowXL',
  seed: 321,
  steps: 20,
}

const example = (
  title: string,
  changes: Record<string, unknown>,
  fields: Record<string, unknown> = {},
): ComfyuiExample => ({ title, graph: graphOf(changes), fields: { ...usual, ...fields } })

/** Graphs of many node packs, written from their public documentation. */
export const comfyuiExamples: readonly ComfyuiExample[] = [
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
  example(
    'RES4LYF',
    {
      5: node('ClownsharKSampler_Beta', {
        eta: 0.5,
        sampler_name: 'multistep/res_2m',
        scheduler: 'bong_tangent',
        steps: 20,
        cfg: 5.5,
        seed: 321,
        model: ['1', 0],
        positive: ['2', 0],
        negative: ['3', 0],
        latent_image: ['4', 0],
      }),
    },
    { sampler: 'multistep/res_2m', cfg_scale: 5.5 },
  ),
  {
    title: 'Efficiency Nodes',
    graph: {
      1: node('Efficient Loader', {
        ckpt_name: 'meadowXL.safetensors',
        lora_name: 'None',
        positive: 'POS tall grass',
        negative: ['4', 0],
        empty_latent_width: 512,
        empty_latent_height: 640,
        lora_stack: ['2', 0],
      }),
      2: node('LoRA Stacker', {
        input_mode: 'simple',
        lora_count: 1,
        lora_name_1: 'ink.safetensors',
        lora_wt_1: 0.6,
        lora_name_2: 'unused.safetensors',
        lora_wt_2: 1,
      }),
      4: node('Text Multiline', { text: 'NEG noise' }),
      5: node('KSampler (Efficient)', {
        seed: 321,
        steps: 20,
        cfg: 6,
        model: ['1', 0],
        positive: ['1', 1],
        negative: ['1', 2],
        latent_image: ['1', 3],
      }),
      9: node('SaveImage', { images: ['5', 5] }),
    },
    fields: { ...usual, width: 512, height: 640, loras: [{ name: 'ink', weight: 0.6 }] },
  },
  {
    title: 'Easy-Use',
    graph: {
      1: node('easy fullLoader', {
        ckpt_name: 'meadowXL.safetensors',
        lora_name: 'None',
        resolution: '768 x 1024',
        empty_latent_width: 512,
        positive: 'POS tall grass',
        negative: 'NEG noise',
        optional_lora_stack: ['2', 0],
      }),
      2: node('easy loraStack', {
        toggle: true,
        mode: 'simple',
        num_loras: 2,
        lora_1_name: 'ink.safetensors',
        lora_1_strength: 0.8,
        lora_2_name: 'None',
        lora_2_strength: 1,
      }),
      3: node('easy preSampling', {
        steps: 20,
        cfg: 8,
        sampler_name: 'ddim',
        seed: 321,
        pipe: ['1', 0],
      }),
      4: node('easy kSampler', { image_output: 'Save', pipe: ['3', 0] }),
    },
    fields: { ...usual, width: 768, height: 1024, loras: [{ name: 'ink', weight: 0.8 }] },
  },
  example(
    'rgthree',
    {
      sampler: { seed: ['20', 0], steps: ['21', 0], model: ['22', 0], positive: ['24', 0] },
      20: node('Seed (rgthree)', { seed: 321 }),
      21: node('KSampler Config (rgthree)', { steps_total: 20, refiner_step: 12, cfg: 7 }),
      22: node('Power Lora Loader (rgthree)', {
        PowerLoraLoaderHeaderWidget: { type: 'PowerLoraLoaderHeaderWidget' },
        lora_1: { on: true, lora: 'ink.safetensors', strength: 0.7 },
        lora_2: { on: false, lora: 'off.safetensors', strength: 1 },
        '➕ Add Lora': '',
        model: ['23', 0],
      }),
      23: node('Any Switch (rgthree)', { any_02: ['1', 0] }),
      24: node('Any Switch (rgthree)', { any_01: ['2', 0], any_02: ['3', 0] }),
    },
    { loras: [{ name: 'ink', weight: 0.7 }] },
  ),
  example('Impact Pack: pipes, switches and expanded wildcards', {
    5: node('ImpactKSamplerBasicPipe', {
      seed: 321,
      steps: 20,
      basic_pipe: ['20', 0],
      latent_image: ['4', 0],
    }),
    20: node('ToBasicPipe', {
      model: ['1', 0],
      clip: ['1', 1],
      positive: ['2', 0],
      negative: ['3', 0],
    }),
    2: text(['21', 0]),
    21: node('ImpactSwitch', { select: 2, sel_mode: false, input1: ['3', 0], input2: ['22', 0] }),
    22: node('ImpactWildcardProcessor', {
      wildcard_text: '{POS|NO} tall __plant__',
      populated_text: 'POS tall grass',
      mode: 'populate',
      seed: 5,
    }),
  }),
  example(
    'Impact Pack: a detailer after the sampler',
    {
      9: node('SaveImage', { images: ['20', 0] }),
      20: node('FaceDetailer', {
        seed: 7,
        steps: 12,
        cfg: 4,
        sampler_name: 'euler',
        wildcard: '',
        image: ['8', 0],
        model: ['1', 0],
        positive: ['21', 0],
        negative: ['3', 0],
      }),
      21: text('a face'),
    },
    { passes: [{ seed: 321 }, { seed: 7, steps: 12, cfg_scale: 4 }] },
  ),
  example(
    'Ultimate SD Upscale',
    {
      9: node('SaveImage', { images: ['20', 0] }),
      20: node('UltimateSDUpscale', {
        upscale_by: 2,
        seed: 8,
        steps: 15,
        denoise: 0.2,
        image: ['8', 0],
        model: ['1', 0],
        positive: ['2', 0],
        negative: ['3', 0],
        upscale_model: ['21', 0],
      }),
      21: node('UpscaleModelLoader', { model_name: '4x.pth' }),
    },
    { passes: [{ seed: 321 }, { seed: 8, denoise: 0.2, model: 'meadowXL' }] },
  ),
  {
    title: 'WanVideoWrapper',
    graph: {
      1: node('WanVideoModelLoader', { model: 'Wan/meadowXL.safetensors', lora: ['2', 0] }),
      2: node('WanVideoLoraSelect', { lora: 'motion.safetensors', strength: 0.9 }),
      3: node('WanVideoTextEncode', {
        positive_prompt: 'POS tall grass',
        negative_prompt: 'NEG noise',
        t5: ['4', 0],
      }),
      4: node('LoadWanVideoT5TextEncoder', { model_name: 'umt5.safetensors', precision: 'bf16' }),
      5: node('WanVideoEmptyEmbeds', { width: 832, height: 480, num_frames: 81 }),
      6: node('WanVideoSampler', {
        steps: 20,
        cfg: 6,
        seed: 321,
        scheduler: 'unipc',
        model: ['1', 0],
        text_embeds: ['3', 0],
        image_embeds: ['5', 0],
      }),
      7: node('WanVideoDecode', { samples: ['6', 0] }),
      8: node('VHS_VideoCombine', { images: ['7', 0], frame_rate: 16, filename_prefix: 'v' }),
    },
    fields: { ...usual, width: 832, height: 480, loras: [{ name: 'motion', weight: 0.9 }] },
  },
  example('WAS Node Suite', {
    2: text(['20', 0]),
    20: node('Text Concatenate', {
      delimiter: ' ',
      clean_whitespace: 'true',
      text_c: ['23', 0],
      text_a: ['21', 0],
      text_b: ['22', 0],
    }),
    21: node('Text Multiline', { text: 'POS' }),
    22: node('Text Input Switch', { boolean: false, text_a: 'short', text_b: 'tall' }),
    23: node('Text String', { text: 'grass', text_b: '', text_c: '' }),
  }),
  example('Comfyroll', {
    sampler: { positive: ['20', 0] },
    20: node('CR Conditioning Input Switch', {
      Input: 2,
      conditioning1: ['3', 0],
      conditioning2: ['2', 0],
    }),
    2: text(['21', 0]),
    21: node('CR Text Concatenate', { text1: 'POS', text2: 'tall grass', separator: ' ' }),
  }),
  example(
    'Comfyroll LoRA stack',
    {
      sampler: { model: ['20', 0] },
      20: node('CR Apply LoRA Stack', { model: ['1', 0], clip: ['1', 1], lora_stack: ['21', 0] }),
      21: node('CR LoRA Stack', {
        switch_1: 'Off',
        lora_name_1: 'off.safetensors',
        model_weight_1: 1,
        switch_2: 'On',
        lora_name_2: 'ink.safetensors',
        model_weight_2: 0.4,
        clip_weight_2: 1,
      }),
    },
    { loras: [{ name: 'ink', weight: 0.4 }] },
  ),
  example(
    'LoRA Manager',
    {
      sampler: { model: ['20', 0] },
      20: node('Lora Loader (LoraManager)', {
        text: '<lora:ink:0.6>',
        loras: {
          __value__: [
            { name: 'ink', strength: 0.6, active: true, clipStrength: 0.6 },
            { name: 'off', strength: 1, active: false },
          ],
        },
        model: ['1', 0],
      }),
    },
    { loras: [{ name: 'ink', weight: 0.6 }] },
  ),
  example(
    'LoRAs written into the prompt',
    { 2: text('POS tall grass <lora:ink:0.8>') },
    { prompt: 'POS tall grass <lora:ink:0.8>', loras: [{ name: 'ink', weight: 0.8 }] },
  ),
  example('Custom Scripts: a shown text of an earlier run', {
    2: text(['20', 0]),
    20: node('ShowText|pysssss', { text_0: 'old text', text: ['21', 0] }),
    21: node('StringFunction|pysssss', {
      action: 'append',
      tidy_tags: 'no',
      text_a: 'POS tall',
      text_b: 'grass',
    }),
    1: node('CheckpointLoader|pysssss', {
      ckpt_name: { content: 'meadowXL.safetensors', image: null },
    }),
  }),
  example('Custom Scripts: a text that a language model wrote', {
    2: text(['20', 0]),
    20: node('ShowText|pysssss', { text_0: 'POS tall grass', text: ['21', 0] }),
    21: node('OllamaGenerate', { prompt: 'describe a meadow', model: 'small' }),
  }),
  example('SDXL Prompt Styler', {
    2: text(['20', 0]),
    3: text(['20', 1]),
    20: node('SDXLPromptStyler', {
      text_positive: 'POS tall grass',
      text_negative: 'NEG noise',
      style: 'x',
    }),
  }),
  example('KJNodes', {
    2: text(['20', 0]),
    20: node('JoinStringMulti', {
      inputcount: 3,
      delimiter: ' ',
      string_3: 'grass',
      string_1: ['21', 0],
      string_2: 'tall',
    }),
    21: node('StringConstant', { string: 'POS' }),
    sampler: { seed: ['22', 0] },
    22: node('INTConstant', { value: 321 }),
  }),
  example('ComfyUI-GGUF', { 1: node('UnetLoaderGGUF', { unet_name: 'meadowXL.gguf' }) }),
  {
    title: 'XLabs',
    graph: graphOf({
      5: node('XlabsSampler', {
        noise_seed: 321,
        steps: 20,
        model: ['1', 0],
        conditioning: ['2', 0],
        neg_conditioning: ['3', 0],
        latent_image: ['4', 0],
      }),
    }),
    fields: usual,
  },
  {
    title: 'tinyterraNodes',
    graph: {
      1: node('ttN pipeLoader', {
        ckpt_name: 'meadowXL.safetensors',
        positive: ['2', 0],
        negative: 'NEG noise',
        seed: 5,
      }),
      2: node('ttN text', { text: 'POS tall grass' }),
      3: node('ttN pipeKSampler', {
        steps: 20,
        cfg: 7,
        seed: 321,
        pipe: ['1', 0],
        image_output: 'Save',
      }),
    },
    fields: usual,
  },
  example('nodes that nobody knows', {
    sampler: { positive: ['20', 0], model: ['22', 0] },
    20: node('Mystery Conditioner', { power: 3, thing: ['21', 0] }),
    21: node('Mystery Words', { conditioning: ['2', 0] }),
    22: node('Mystery Patch', { stuff: ['1', 0] }),
  }),
]
