import { memberOf, modelNameOf, numberOf } from '#server/storage/metadata/normal-fields.ts'
import { isObject, plainText } from '#server/storage/metadata/parse-embedded-json.ts'
import type { Setting, ValueReader } from './find-values.ts'
import { type ComfyuiGraph, type ComfyuiNode, upstream } from './graph.ts'
import { selectedInput } from './inputs.ts'

export interface Lora {
  name: string
  weight: number | null
}

const MAX_LORAS = 100

const fileOf = (value: unknown): string | null => {
  const name = modelNameOf(value)
  return name === null || /^(?:none|null|undefined)$/i.test(name) ? null : name
}

/** Inputs of loaders of whole models. */
const model: Setting<string> = {
  inputs: [
    ...['ckpt_name', 'unet_name', 'base_ckpt_name', 'gguf_name', 'checkpoint_name', 'ckpt'],
    ...['checkpoint', 'unet', 'diffusion_model', 'diffusion_name'],
  ],
  read: fileOf,
}
/** Inputs that loaders of motion modules and patches use, too. */
const likelyModel: Setting<string> = {
  inputs: [
    'model_name',
    'model',
    'model_path',
    'base_model',
    'model_id',
    'repo_id',
    'model_version',
  ],
  read: fileOf,
}

const loraName: Setting<string> = { inputs: ['lora_name', 'lora'], read: fileOf }
const number: Setting<number> = { inputs: ['strength', 'weight'], read: numberOf }

const TOWARDS_MODEL = /model|unet|pipe|guider|tuple|context|ctx|lora|any|sdxl|transformer/i
const AWAY =
  /upscale|sam_|detector|vision|control|ipadapter|insight|vae|style|positive|negative|cond|clip|image|latent|samples|pixel|mask|sigmas|noise|sampler|text|prompt/i

/** Returns the nodes between a sampler and its model file, nearest first. */
const modelNodes = (
  graph: ComfyuiGraph,
  sampler: ComfyuiNode,
  plainValue: (input: unknown) => unknown,
): ComfyuiNode[] => {
  const followed = new Map<ComfyuiNode, ReadonlySet<string>>()
  const inputsOf = (node: ComfyuiNode): ReadonlySet<string> => {
    const known = followed.get(node)
    if (known !== undefined) return known
    const selected = selectedInput(graph, node, plainValue)
    const links = Object.keys(node.inputs).filter(
      (name) => !AWAY.test(name) && graph.linked(node.inputs[name]) !== null,
    )
    const towards = links.filter((name) => TOWARDS_MODEL.test(name))
    const names =
      selected === null ? (towards.length > 0 || node === sampler ? towards : links) : [selected]
    const inputs = new Set(names)
    followed.set(node, inputs)
    return inputs
  }
  return [...upstream(graph, [sampler], (input, node) => inputsOf(node).has(input))]
}

/** Returns true if a switch of a LoRA is on or absent. */
const isOn = (value: unknown): boolean =>
  value === undefined || !/^(?:false|off|no|disabled?)$/i.test(plainText(value))

/** Returns a LoRA. An empty array: it is off, or has no effect. */
const loraOf = (name: string | null, ...weights: unknown[]): Lora[] => {
  const numbers = weights.map(numberOf)
  const isWithoutEffect = numbers.includes(0) && numbers.every((weight) => (weight ?? 0) === 0)
  const weight = numbers.find((each) => each !== null) ?? null
  return name === null || isWithoutEffect ? [] : [{ name, weight }]
}

/** Reads the entries of a list widget: `{on, lora, strength}` or `{active, name, strength}`. */
const loraOfEntry = (entry: unknown): Lora[] => {
  if (!isObject(entry) || !isOn(entry.on) || !isOn(entry.active)) return []
  return loraOf(fileOf(entry.lora ?? entry.name), entry.strength, entry.strengthTwo)
}

/** Reads numbered LoRAs: `lora_name_1` with `lora_wt_1`, `lora_1_name` with `lora_1_strength`, `lora_01` with `strength_01`. */
const numberedLoras = ({ inputs }: ComfyuiNode): Lora[] => {
  if ('toggle' in inputs && !isOn(inputs.toggle)) return []
  const count = numberOf(inputs.lora_count ?? inputs.num_loras) ?? MAX_LORAS
  const isAdvanced = inputs.input_mode === 'advanced' || inputs.mode === 'advanced'
  return Object.entries(inputs).flatMap(([key, value]) => {
    const digits = /^lora_(?:name_)?(\d{1,3})(?:_name)?$/.exec(key)?.[1]
    if (digits === undefined || Number(digits) > count) return []
    if (isObject(value)) return loraOfEntry(value)
    const own = [
      `switch_${digits}`,
      `toggle_${digits}`,
      `lora_${digits}_enabled`,
      `enabled_${digits}`,
    ]
    if (own.some((name) => !isOn(inputs[name]))) return []
    const simple = [`lora_wt_${digits}`, `lora_${digits}_strength`, `strength_${digits}`]
    const advanced = [
      ...[`model_str_${digits}`, `model_weight_${digits}`, `lora_${digits}_model_strength`],
      ...[`strength_model_${digits}`, `model_strength_${digits}`, `lora_weight_${digits}`],
    ]
    const [weight] = [...(isAdvanced ? advanced : simple), ...simple, ...advanced].flatMap(
      (name) => numberOf(inputs[name]) ?? [],
    )
    return loraOf(fileOf(value), weight)
  })
}

const lorasOf = (node: ComfyuiNode, values: ValueReader): Lora[] => {
  const { inputs } = node
  const list = memberOf(inputs.loras, '__value__') ?? inputs.loras
  if (Array.isArray(list) && list.length !== 2) return list.slice(0, MAX_LORAS).flatMap(loraOfEntry)
  if (Array.isArray(list) && list.some(isObject)) return list.flatMap(loraOfEntry)
  const isModelInput = typeof inputs.lora === 'string' || 'lora_name' in inputs
  const name = isModelInput ? values.valueAt(inputs.lora_name ?? inputs.lora, loraName) : null
  const weights = [
    ...['strength_model', 'lora_model_strength', 'model_strength', 'lora_strength', 'strength'],
    ...['lora_weight', 'weight'],
  ]
  const [weight] = weights.flatMap((key) => values.valueAt(inputs[key], number) ?? [])
  const clip = inputs.strength_clip ?? inputs.lora_clip_strength
  return [...loraOf(name, weight, clip), ...numberedLoras(node)]
}

/** Returns the name of a model file in any input of a loader that is not known. */
const fileOfUnknown = ({ inputs }: ComfyuiNode): string | null => {
  const file = Object.entries(inputs).find(
    ([name, value]) =>
      !/lora|vae|clip|control|upscale|t5|text|encoder|embed/i.test(name) &&
      typeof value === 'string' &&
      /\.(?:safetensors|ckpt|gguf|sft|pth?)$/i.test(value.trim()),
  )
  return fileOf(file?.[1])
}

/** Returns the model that a sampler uses and the enabled LoRAs on the way to it, in the order in which they apply. */
export const modelsOf = (
  graph: ComfyuiGraph,
  sampler: ComfyuiNode,
  values: ValueReader,
  plainValue: (input: unknown) => unknown,
): { model: string | null; loras: Lora[] } => {
  const nodes = modelNodes(graph, sampler, plainValue)
  const [unknown] = nodes.flatMap((node) => fileOfUnknown(node) ?? [])
  const loras = nodes.toReversed().flatMap((node) => lorasOf(node, values))
  const found = values.nearest(nodes, model) ?? values.nearest(nodes, likelyModel) ?? unknown
  return { model: found ?? null, loras: loras.slice(0, MAX_LORAS) }
}
