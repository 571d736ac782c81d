import {
  integerOf,
  memberOf,
  type NormalFields,
  nameOf,
  numberOf,
  seedOf,
  textOf,
} from '#server/storage/metadata/normal-fields.ts'

/** Returns a model's name, in the current form or in that of InvokeAI 3. */
const modelOf = (model: unknown): string | null =>
  nameOf(memberOf(model, 'name')) ?? nameOf(memberOf(model, 'model_name')) ?? nameOf(model)

const loraOf = (lora: unknown): { name: string; weight: number | null }[] => {
  const name = modelOf(memberOf(lora, 'model')) ?? modelOf(memberOf(lora, 'lora'))
  return name === null ? [] : [{ name, weight: numberOf(memberOf(lora, 'weight')) }]
}

/** Reads the object that InvokeAI embeds as `invokeai_metadata` and accepts as an upload's `metadata` part. */
export const readInvokeai = (metadata: Record<string, unknown>): NormalFields => ({
  generator_version: nameOf(metadata.app_version),
  prompt: textOf(metadata.positive_prompt),
  negative_prompt: textOf(metadata.negative_prompt),
  model: modelOf(metadata.model),
  seed: seedOf(metadata.seed),
  steps: integerOf(metadata.steps),
  cfg_scale: numberOf(metadata.cfg_scale),
  // InvokeAI has no samplers. Tessera writes this key for images of other generators.
  sampler: nameOf(metadata.sampler),
  scheduler: nameOf(metadata.scheduler),
  loras: Array.isArray(metadata.loras) ? metadata.loras.slice(0, 100).flatMap(loraOf) : [],
  width: integerOf(metadata.width),
  height: integerOf(metadata.height),
})
