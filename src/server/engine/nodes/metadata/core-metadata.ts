import Type, { type TSchema } from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { metadataOutput } from '#server/engine/nodes/value-outputs.ts'

const maybe = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()], { default: null })
const text = maybe(Type.String())
const whole = maybe(Type.Integer())
const number = maybe(Type.Number())
const flag = maybe(Type.Boolean())
const anything = maybe(Type.Unknown())
const list = maybe(Type.Array(Type.Unknown()))

const notMetadata = new Set(['id', 'type', 'is_intermediate', 'use_cache'])

export const coreMetadataNode = defineNode({
  type: 'core_metadata',
  summary: 'What a generation was made with, and whatever else is given',
  keepsExtra: true,
  inputs: {
    generation_mode: text,
    positive_prompt: text,
    negative_prompt: text,
    width: whole,
    height: whole,
    seed: whole,
    rand_device: text,
    cfg_scale: number,
    cfg_rescale_multiplier: number,
    steps: whole,
    scheduler: text,
    seamless_x: flag,
    seamless_y: flag,
    clip_skip: whole,
    model: anything,
    controlnets: list,
    ipAdapters: list,
    t2iAdapters: list,
    loras: list,
    strength: number,
    init_image: text,
    vae: anything,
    qwen3_encoder: anything,
    mistral_encoder: anything,
    ideogram4_caption: anything,
    hrf_enabled: flag,
    hrf_method: text,
    hrf_strength: number,
    positive_style_prompt: text,
    negative_style_prompt: text,
    refiner_model: anything,
    refiner_cfg_scale: number,
    refiner_steps: whole,
    refiner_scheduler: text,
    refiner_positive_aesthetic_score: number,
    refiner_negative_aesthetic_score: number,
    refiner_start: number,
  },
  output: metadataOutput,
  run: (inputs, { appVersion }) => {
    const given = Object.entries(inputs).filter(
      ([name, value]) => !notMetadata.has(name) && value !== null,
    )
    return { metadata: Object.fromEntries([...given, ['app_version', appVersion]]) }
  },
})
