import type { FoundMetadata } from '#server/storage/metadata/found-metadata.ts'
import { type NormalFields, nameOf } from '#server/storage/metadata/normal-fields.ts'
import { fieldsOf, type Loras, loraOf, lorasOf, MAX_LORAS } from './json-fields.ts'
import { a1111Fields } from './read-a1111.ts'

const firstJson = (
  { blocks, json }: FoundMetadata,
  accepts: (values: Record<string, unknown>) => boolean,
): Record<string, unknown> | null => {
  for (const block of blocks) {
    const values = block.trimStart().startsWith('{') ? json(block) : null
    if (values !== null && accepts(values)) return values
  }
  return null
}

const has = (values: Record<string, unknown>, ...keys: string[]): boolean =>
  keys.every((key) => key in values)

const isFooocus = (values: Record<string, unknown>): boolean =>
  values.metadata_scheme === 'fooocus' ||
  (nameOf(values.version ?? values.Version)?.startsWith('Fooocus') ?? false) ||
  has(values, 'base_model', 'guidance_scale', 'performance') ||
  has(values, 'Prompt', 'Base Model', 'Performance')

const isRuined = (values: Record<string, unknown>): boolean =>
  values.software === 'RuinedFooocus' || has(values, 'Prompt', 'Negative', 'base_model_name')

const versionOf = ({ a1111 }: FoundMetadata): string => a1111?.settings.get('version')?.value ?? ''

export const isFooocusFile = (found: FoundMetadata): boolean =>
  versionOf(found).startsWith('Fooocus') || firstJson(found, isFooocus) !== null

export const isRuinedFile = (found: FoundMetadata): boolean =>
  versionOf(found).startsWith('RuinedFooocus') || firstJson(found, isRuined) !== null

/** Reads `lora_combined_1: "fur : 0.5"` of the first versions, or a list of names and weights. */
const fooocusLoras = (values: Record<string, unknown>): Loras => {
  if (Array.isArray(values.loras)) return lorasOf(values.loras)
  const combined = Object.entries(values).filter(([key]) =>
    /^lora(?:_combined)?[_ ]\d+$/i.test(key),
  )
  return combined.slice(0, MAX_LORAS).flatMap(([, value]) => {
    const text = nameOf(value) ?? ''
    const colon = text.lastIndexOf(' : ')
    return colon < 0 ? loraOf(text, null) : loraOf(text.slice(0, colon), text.slice(colon + 3))
  })
}

const readJson = (values: Record<string, unknown>): NormalFields => ({
  ...fieldsOf(
    values,
    {
      prompt: ['prompt', 'Prompt', 'raw_prompt'],
      negative_prompt: ['negative_prompt', 'Negative Prompt', 'raw_negative_prompt'],
      model: ['base_model', 'Base Model', 'model'],
      seed: ['seed', 'Seed'],
      steps: ['steps', 'Steps'],
      cfg_scale: ['guidance_scale', 'Guidance Scale', 'cfg'],
      sampler: ['sampler', 'Sampler'],
      scheduler: ['scheduler', 'Scheduler'],
      width: ['width'],
      height: ['height'],
      size: ['resolution', 'Resolution'],
      generator_version: ['version', 'Version'],
    },
    { unread: ['loras', 'metadata_scheme', 'full_prompt', 'full_negative_prompt'] },
  ),
  loras: fooocusLoras(values),
})

/** Reads both schemes of Fooocus: JSON, and the text of A1111 with the prompt as it was typed. */
export const readFooocus = (found: FoundMetadata): NormalFields | null => {
  const values = firstJson(found, isFooocus)
  if (values !== null) return readJson(values)
  const { a1111 } = found
  if (a1111 === null) return null
  const fields = a1111Fields(a1111)
  const typed = a1111.settings.get('raw prompt')?.value
  return {
    ...fields,
    prompt: typed === undefined || typed === '' ? (fields.prompt ?? null) : typed,
  }
}

/** A LoRA is a hash and `0.5 - name`, or a name and a weight. */
const ruinedLora = (lora: unknown): Loras => {
  const [first, second]: unknown[] = Array.isArray(lora) ? lora : [lora]
  const text = nameOf(second) ?? ''
  const dash = text.indexOf(' - ')
  return dash > 0 ? loraOf(text.slice(dash + 3), text.slice(0, dash)) : lorasOf([lora ?? first])
}

export const readRuinedFooocus = (found: FoundMetadata): NormalFields | null => {
  const values = firstJson(found, isRuined)
  if (values === null) return found.a1111 && a1111Fields(found.a1111)
  const fields = fieldsOf(
    values,
    {
      prompt: ['Prompt', 'prompt'],
      negative_prompt: ['Negative', 'negative', 'negative_prompt'],
      model: ['base_model_name', 'base_model'],
      seed: ['seed'],
      steps: ['steps'],
      cfg_scale: ['cfg'],
      sampler: ['sampler_name', 'sampler'],
      scheduler: ['scheduler'],
      width: ['width'],
      height: ['height'],
      generator_version: ['version'],
    },
    { unread: ['loras', 'software'] },
  )
  const loras: unknown[] = Array.isArray(values.loras) ? values.loras.slice(0, MAX_LORAS) : []
  return { ...fields, loras: loras.flatMap(ruinedLora) }
}
