import { memberOf, modelNameOf, type NormalFields } from '#server/storage/metadata/normal-fields.ts'
import { fieldsOf, lorasOf, MAX_LORAS } from './json-fields.ts'

const isLora = (model: unknown): boolean =>
  /lora|lycoris|locon/i.test(String(memberOf(model, 'type')))

/** Reads `generation_data`, the JSON of TensorArt. */
export const readTensorArt = (values: Record<string, unknown>): NormalFields => {
  const base = values.baseModel
  const models: unknown[] = Array.isArray(values.models) ? values.models.slice(0, MAX_LORAS) : []
  const fields = fieldsOf(
    values,
    {
      prompt: ['prompt'],
      negative_prompt: ['negativePrompt'],
      seed: ['seed'],
      steps: ['steps'],
      cfg_scale: ['cfgScale'],
      sampler: ['samplerName', 'sampler'],
      scheduler: ['schedulerName', 'scheduler'],
      width: ['width'],
      height: ['height'],
    },
    { unread: ['models', 'baseModel', 'imageCount'] },
  )
  return {
    ...fields,
    model:
      modelNameOf(memberOf(base, 'modelFileName')) ??
      modelNameOf(memberOf(base, 'label')) ??
      modelNameOf(memberOf(base, 'modelName')) ??
      modelNameOf(base),
    loras: lorasOf(models.filter(isLora)),
  }
}
