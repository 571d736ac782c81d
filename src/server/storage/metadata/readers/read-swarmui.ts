import type { FoundMetadata } from '#server/storage/metadata/found-metadata.ts'
import type { NormalFields } from '#server/storage/metadata/normal-fields.ts'
import { isObject } from '#server/storage/metadata/parse-embedded-json.ts'
import { fieldsOf, lorasOf } from './json-fields.ts'
import { lorasInPrompt } from './read-a1111.ts'

const listOf = (value: unknown): unknown =>
  typeof value === 'string' ? value.split(',').map((each) => each.trim()) : value

/** Returns the parameters of the image, in `parameters` of a PNG and in the EXIF comment of other formats. */
export const swarmuiParameters = ({
  blocks,
  json,
}: FoundMetadata): Record<string, unknown> | null => {
  for (const block of blocks) {
    const parameters = block.includes('sui_image_params') ? json(block)?.sui_image_params : null
    if (isObject(parameters)) return parameters
  }
  return null
}

export const readSwarmui = (values: Record<string, unknown>): NormalFields => {
  const fields = fieldsOf(
    values,
    {
      prompt: ['prompt', 'original_prompt'],
      negative_prompt: ['negativeprompt'],
      model: ['model'],
      seed: ['seed'],
      steps: ['steps'],
      cfg_scale: ['cfgscale'],
      sampler: ['sampler', 'comfyuisampler', 'autowebuisampler'],
      scheduler: ['scheduler', 'comfyuischeduler'],
      width: ['width'],
      height: ['height'],
      generator_version: ['swarm_version'],
    },
    { unread: ['loras', 'loraweights', 'images', 'date'] },
  )
  const loras =
    values.loras === undefined ? [] : lorasOf(listOf(values.loras), listOf(values.loraweights))
  return { ...fields, loras: loras.length > 0 ? loras : lorasInPrompt(fields.prompt ?? '') }
}
