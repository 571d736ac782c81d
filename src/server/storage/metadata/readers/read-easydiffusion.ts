import type { FoundMetadata } from '#server/storage/metadata/found-metadata.ts'
import type { NormalFields } from '#server/storage/metadata/normal-fields.ts'
import { fieldsOf, lorasOf } from './json-fields.ts'

/** Keys that only Easy Diffusion writes, in its JSON and in its text form. */
const OWN_KEYS = ['use_stable_diffusion_model', 'Stable Diffusion model']

/** Returns the values, which are text chunks of a PNG, or one JSON object in the EXIF comment or a JPEG comment. */
export const easyDiffusionValues = ({
  texts,
  blocks,
  json,
}: FoundMetadata): Record<string, unknown> | null => {
  if (OWN_KEYS.some((key) => texts.has(key))) return Object.fromEntries(texts)
  if (texts.has('num_inference_steps') && texts.has('guidance_scale'))
    return Object.fromEntries(texts)
  for (const block of blocks) {
    const values = OWN_KEYS.some((key) => block.includes(key)) ? json(block) : null
    if (values !== null && OWN_KEYS.some((key) => key in values)) return values
  }
  return null
}

/** Reads a list that Python wrote as text: `['fur', 'rain']`. */
const listOf = (value: unknown): unknown => {
  if (typeof value !== 'string' || !value.startsWith('[')) return value
  const items = value.slice(1, value.endsWith(']') ? -1 : undefined).split(',')
  return items.slice(0, 100).map((item) => item.trim().replace(/^['"]|['"]$/g, ''))
}

export const readEasyDiffusion = (values: Record<string, unknown>): NormalFields => ({
  ...fieldsOf(
    values,
    {
      prompt: ['prompt', 'Prompt', 'original_prompt'],
      negative_prompt: ['negative_prompt', 'Negative Prompt'],
      model: OWN_KEYS,
      seed: ['seed', 'Seed'],
      steps: ['num_inference_steps', 'Steps'],
      cfg_scale: ['guidance_scale', 'Guidance Scale'],
      sampler: ['sampler_name', 'Sampler'],
      scheduler: ['scheduler_name', 'Scheduler'],
      width: ['width', 'Width'],
      height: ['height', 'Height'],
    },
    { unread: ['use_lora_model', 'LoRA model', 'lora_alpha', 'LoRA Strength'] },
  ),
  loras: lorasOf(
    listOf(values.use_lora_model ?? values['LoRA model']),
    listOf(values.lora_alpha ?? values['LoRA Strength']),
  ),
})
