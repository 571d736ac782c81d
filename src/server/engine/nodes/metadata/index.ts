import Type, { type TSchema } from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import {
  MetadataField,
  MetadataItemField,
  metadataItemOutput,
  metadataOutput,
  stringOutput,
} from '#server/engine/nodes/value-outputs.ts'
import { lookUpNodes } from './look-up.ts'

const maybe = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()], { default: null })
const text = maybe(Type.String())
const whole = maybe(Type.Integer())
const number = maybe(Type.Number())
const flag = maybe(Type.Boolean())
const anything = maybe(Type.Unknown())
const list = maybe(Type.Array(Type.Unknown()))

const notMetadata = new Set(['id', 'type', 'is_intermediate', 'use_cache'])

const coreMetadataNode = defineNode({
  type: 'core_metadata',
  summary: 'What a generation was made with, and whatever else is given',
  retainsExtraFields: true,
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

const metadataItemNode = defineNode({
  type: 'metadata_item',
  summary: 'A name and its value',
  inputs: { label: Type.String(), value: Type.Unknown() },
  output: metadataItemOutput,
  run: ({ label, value }) => ({ item: { label, value } }),
})

const metadataNode = defineNode({
  type: 'metadata',
  summary: 'Metadata out of one item or several',
  inputs: { items: Type.Union([Type.Array(MetadataItemField), MetadataItemField]) },
  output: metadataOutput,
  run: ({ items }, { appVersion }) => {
    const pairs = [items].flat().map(({ label, value }): [string, unknown] => [label, value])
    return { metadata: Object.fromEntries([...pairs, ['app_version', appVersion]]) }
  },
})

const mergeMetadataNode = defineNode({
  type: 'merge_metadata',
  summary: 'Merges metadata; what comes later wins',
  inputs: { collection: Type.Array(MetadataField) },
  output: metadataOutput,
  run: ({ collection }) => ({
    metadata: Object.fromEntries(collection.flatMap((metadata) => Object.entries(metadata))),
  }),
})

const metadataFromImageNode = defineNode({
  type: 'metadata_from_image',
  summary: 'The metadata of an image; empty where it has none',
  inputs: { image: ImageField },
  output: metadataOutput,
  run: async ({ image }, { metadataOf }) => ({ metadata: (await metadataOf(image)) ?? {} }),
})

const metadataFieldExtractorNode = defineNode({
  type: 'metadata_field_extractor',
  summary: 'A text out of the metadata of an image',
  inputs: { image: ImageField, key: Type.String() },
  output: stringOutput,
  run: async ({ image, key }, { metadataOf }) => {
    const metadata = await metadataOf(image)
    if (metadata === null) throw new NodeFault(`No metadata found on image ${image.image_name}`)
    if (!Object.hasOwn(metadata, key)) {
      throw new NodeFault(`No key '${key}' found in the metadata for ${image.image_name}`)
    }
    const value = metadata[key]
    if (typeof value !== 'string') {
      throw new NodeFault(`Metadata at key '${key}' must be a string`)
    }
    return { value }
  },
})

export const metadataNodes = [
  metadataItemNode,
  metadataNode,
  coreMetadataNode,
  mergeMetadataNode,
  metadataFromImageNode,
  metadataFieldExtractorNode,
  ...lookUpNodes,
]
