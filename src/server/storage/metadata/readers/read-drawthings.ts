import type { FoundMetadata } from '#server/storage/metadata/found-metadata.ts'
import type { NormalFields } from '#server/storage/metadata/normal-fields.ts'
import { fieldsOf, type Loras, loraOf, lorasOf, MAX_LORAS } from './json-fields.ts'
import { type A1111Text, parseA1111 } from './parse-a1111.ts'
import { a1111Fields } from './read-a1111.ts'

/** Returns the JSON in `exif:UserComment` or in the comment of a PNG. `c` is the prompt, `uc` the negative one. */
const valuesOf = ({ blocks, json }: FoundMetadata): Record<string, unknown> | null => {
  for (const block of blocks) {
    const values = block.trimStart().startsWith('{') ? json(block) : null
    if (values !== null && 'c' in values && ('uc' in values || 'v2' in values)) return values
  }
  return null
}

/** Returns the description, which has `Guidance Scale` instead of `CFG scale`. */
const descriptionOf = ({ blocks }: FoundMetadata): A1111Text | null => {
  for (const block of blocks) {
    const text = block.includes('Guidance Scale: ') ? parseA1111(block) : null
    if (text !== null) return text
  }
  return null
}

export const isDrawThings = (found: FoundMetadata): boolean =>
  valuesOf(found) !== null ||
  (found.software.includes('Draw Things') && descriptionOf(found) !== null)

const lorasInDescription = ({ settings }: A1111Text): Loras => {
  const loras: Loras = []
  for (let index = 1; index <= MAX_LORAS; index += 1) {
    const name = settings.get(`lora ${index} model`)?.value
    if (name === undefined) break
    loras.push(...loraOf(name, settings.get(`lora ${index} weight`)?.value))
  }
  return loras
}

/** The negative prompt is a line that starts with a hyphen. */
const readDescription = (text: A1111Text): NormalFields => {
  const [prompt = '', ...negative] = text.prompt.split(/^-/m)
  const fields = a1111Fields({ ...text, prompt, negative: negative.join('\n') })
  const loras = lorasInDescription(text)
  return loras.length > 0 ? { ...fields, loras } : fields
}

export const readDrawThings = (found: FoundMetadata): NormalFields | null => {
  const values = valuesOf(found)
  if (values === null) {
    const description = descriptionOf(found)
    return description && readDescription(description)
  }
  const fields = fieldsOf(
    values,
    {
      prompt: ['c'],
      negative_prompt: ['uc'],
      model: ['model'],
      seed: ['seed'],
      steps: ['steps'],
      cfg_scale: ['scale'],
      sampler: ['sampler'],
      size: ['size'],
    },
    { unread: ['lora', 'loras'] },
  )
  return { ...fields, loras: lorasOf(values.lora ?? values.loras) }
}
