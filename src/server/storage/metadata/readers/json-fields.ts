import type { FoundMetadata } from '#server/storage/metadata/found-metadata.ts'
import {
  cleanText,
  integerOf,
  memberOf,
  modelNameOf,
  type NormalFields,
  nameOf,
  numberOf,
  seedOf,
  textOf,
} from '#server/storage/metadata/normal-fields.ts'

type FieldName =
  | 'prompt'
  | 'negative_prompt'
  | 'model'
  | 'seed'
  | 'steps'
  | 'cfg_scale'
  | 'sampler'
  | 'scheduler'
  | 'width'
  | 'height'
  | 'size'
  | 'generator_version'

/** The keys of a program's JSON by field, best first. */
export type FieldKeys = Partial<Record<FieldName, readonly string[]>>

export type Loras = NonNullable<NormalFields['loras']>

export const MAX_LORAS = 100
const MAX_PARAMETERS = 40
const MAX_PARAMETER_LENGTH = 200

/** Programs in Python write an absent value as text. */
const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 'None' || value === 'null'

/** Returns the first value that says something. */
const firstValue = (values: Record<string, unknown>, keys: readonly string[] = []): unknown =>
  keys.map((key) => values[key]).find((value) => !isAbsent(value))

/** Reads `832x1216`, `(832, 1216)` and `832 × 1216`. */
export const sizeOf = (value: unknown): { width: number | null; height: number | null } => {
  const [, width, height] =
    /^\D{0,3}(\d{1,6})\D{1,5}(\d{1,6})\D{0,3}$/.exec(nameOf(value) ?? '') ?? []
  return { width: integerOf(width), height: integerOf(height) }
}

/** Returns a LoRA, or none if the name is no name. */
export const loraOf = (name: unknown, weight: unknown): Loras => {
  const known = isAbsent(name) ? null : modelNameOf(name)
  return known === null ? [] : [{ name: known, weight: numberOf(weight) }]
}

/** Reads `[{ model: 'fur', weight: 0.8 }]`, `[['fur', 0.8]]` and `['fur']` with weights beside it. */
export const lorasOf = (value: unknown, weights?: unknown): Loras => {
  const weightAt = (index: number): unknown =>
    Array.isArray(weights) ? weights[index] : index === 0 ? weights : null
  const list: unknown[] = Array.isArray(value) ? value.slice(0, MAX_LORAS) : [value]
  return list.flatMap((lora, index) => {
    if (Array.isArray(lora)) return loraOf(lora[0], lora[1])
    if (typeof lora === 'string') return loraOf(lora, weightAt(index))
    const names = ['name', 'model', 'file', 'modelName', 'modelFileName', 'label', 'lora_name']
    const name = names.map((key) => memberOf(lora, key)).find((each) => nameOf(each) !== null)
    return loraOf(name, memberOf(lora, 'weight') ?? memberOf(lora, 'strength'))
  })
}

/** `guidance_rescale` becomes `Guidance rescale`. */
const labelOf = (key: string): string => {
  const words = cleanText(key)
    .slice(0, 60)
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns short values under labels for people, except those of these keys. */
export const parametersOf = (
  values: Record<string, unknown>,
  except: Iterable<string>,
): Record<string, string> => {
  const read = new Set(except)
  const parameters: Record<string, string> = {}
  let count = 0
  for (const [key, value] of Object.entries(values)) {
    if (count === MAX_PARAMETERS) break
    if (read.has(key) || isAbsent(value) || typeof value === 'object') continue
    const text = textOf(String(value))
    if (text === null || text.length > MAX_PARAMETER_LENGTH || key === '__proto__') continue
    parameters[labelOf(key)] = text
    count += 1
  }
  return parameters
}

/** Reads the fields of an object with these keys. Short values of other keys become parameters. */
export const fieldsOf = (
  values: Record<string, unknown>,
  keys: FieldKeys,
  { unread = [] }: { unread?: readonly string[] } = {},
): NormalFields => {
  const value = (field: FieldName): unknown => firstValue(values, keys[field])
  const size = sizeOf(value('size'))
  return {
    prompt: textOf(value('prompt')),
    negative_prompt: textOf(value('negative_prompt')),
    model: modelNameOf(value('model')),
    seed: seedOf(value('seed')),
    steps: integerOf(value('steps')),
    cfg_scale: numberOf(value('cfg_scale')),
    sampler: nameOf(value('sampler')),
    scheduler: nameOf(value('scheduler')),
    width: integerOf(value('width')) ?? size.width,
    height: integerOf(value('height')) ?? size.height,
    generator_version: nameOf(value('generator_version')),
    parameters: parametersOf(values, [...Object.values(keys).flat(), ...unread]),
  }
}

/** Keys of programs that are not known. */
const commonKeys: FieldKeys = {
  prompt: ['prompt', 'Prompt', 'positive_prompt', 'positivePrompt', 'positive'],
  negative_prompt: [
    ...['negative_prompt', 'negativePrompt', 'negativeprompt', 'Negative Prompt', 'negative', 'uc'],
    'Negative',
  ],
  model: ['model', 'Model', 'model_name', 'modelName', 'base_model', 'checkpoint', 'model_version'],
  seed: ['seed', 'Seed'],
  steps: ['steps', 'Steps', 'num_inference_steps', 'num_steps', 'ddim_steps'],
  cfg_scale: [
    'cfg_scale',
    'cfgScale',
    'cfgscale',
    'guidance_scale',
    'guidanceScale',
    'scale',
    'cfg',
  ],
  sampler: ['sampler', 'Sampler', 'sampler_name', 'samplerName', 'sampler_index'],
  scheduler: ['scheduler', 'Scheduler', 'noise_schedule', 'schedulerName'],
  width: ['width', 'Width', 'img_width', 'image_width'],
  height: ['height', 'Height', 'img_height', 'image_height'],
  size: ['size', 'resolution', 'Resolution'],
  generator_version: ['version', 'app_version'],
}

/** Returns true if an object has a prompt and settings of an image generator. */
export const isGeneration = (values: Record<string, unknown>): boolean => {
  const has = (field: FieldName) => nameOf(firstValue(values, commonKeys[field])) !== null
  const hasNumber = (field: FieldName) => numberOf(firstValue(values, commonKeys[field])) !== null
  return has('prompt') && (hasNumber('seed') || hasNumber('steps') || hasNumber('cfg_scale'))
}

/** Reads an object of a program that is not known. */
export const readAnyJson = (values: Record<string, unknown>): NormalFields => ({
  ...fieldsOf(values, commonKeys, { unread: ['loras', 'lora', 'software'] }),
  loras: lorasOf(values.loras ?? values.lora),
})

/** Reads the first JSON block with a prompt and settings, or text chunks of a PNG with one value each. */
export const readAnyBlock = ({ blocks, texts, json }: FoundMetadata): NormalFields | null => {
  for (const block of blocks) {
    const values = block.trimStart().startsWith('{') ? json(block) : null
    if (values !== null && isGeneration(values)) return readAnyJson(values)
  }
  if (texts.size < 2 || texts.size > 100) return null
  const values = Object.fromEntries(texts)
  return isGeneration(values) ? readAnyJson(values) : null
}
