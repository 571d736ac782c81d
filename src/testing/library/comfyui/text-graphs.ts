import { type ComfyuiExample, example, node, text } from './comfyui-example.ts'

/** Graphs with texts, switches and LoRAs of node packs, written from their public documentation. */
export const textExamples: readonly ComfyuiExample[] = [
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
  example('nodes that nobody knows', {
    sampler: { positive: ['20', 0], model: ['22', 0] },
    20: node('Mystery Conditioner', { power: 3, thing: ['21', 0] }),
    21: node('Mystery Words', { conditioning: ['2', 0] }),
    22: node('Mystery Patch', { stuff: ['1', 0] }),
  }),
]
