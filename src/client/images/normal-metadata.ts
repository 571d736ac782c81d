import type { NormalMetadata } from '#contract/metadata.ts'

type Fields = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

const loraOf = (value: unknown): NormalMetadata['loras'][number] => {
  const { model, lora, weight } = fieldsOf(value)
  return { name: textOf(fieldsOf(model ?? lora).name) ?? '', weight: numberOf(weight) }
}

/** Converts metadata to the normal form. Tessera answers in it, and InvokeAI with its own fields. */
export const normalMetadataOf = (answer: Fields | NormalMetadata | null): NormalMetadata | null => {
  if (answer === null) return null
  if ('generator' in answer && 'raw' in answer) return answer as NormalMetadata
  const fields: Fields = answer
  const scheduler = textOf(fields.scheduler)
  return {
    generator: 'invokeai',
    prompt: textOf(fields.positive_prompt),
    negative_prompt: textOf(fields.negative_prompt),
    model: textOf(fieldsOf(fields.model).name),
    seed: numberOf(fields.seed),
    steps: numberOf(fields.steps),
    cfg_scale: numberOf(fields.cfg_scale),
    sampler: scheduler,
    scheduler,
    loras: Array.isArray(fields.loras) ? fields.loras.map(loraOf) : [],
    width: numberOf(fields.width),
    height: numberOf(fields.height),
    camera: null,
    lens: null,
    exposure: null,
    raw: { invokeai_metadata: answer },
  }
}
