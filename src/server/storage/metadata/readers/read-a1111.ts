import {
  integerOf,
  modelNameOf,
  type NormalFields,
  nameOf,
  numberOf,
  seedOf,
  textOf,
} from '#server/storage/metadata/normal-fields.ts'
import { withResources } from './civitai-resources.ts'
import { type Loras, MAX_LORAS } from './json-fields.ts'
import { type A1111Text, splitA1111 } from './parse-a1111.ts'

const MAX_PARAMETERS = 40
const MAX_PARAMETER_LENGTH = 200
const loraMark = /<(?:lora|lyco):([^:<>]{1,200})(?::([^<>]{0,60}))?>/g

/** Returns the LoRAs that a prompt names: `<lora:fur:0.8>`, `<lora:fur:te=1:unet=0.8>`. */
export const lorasInPrompt = (prompt: string): Loras => {
  const loras: Loras = []
  for (const [, name = '', weights = ''] of prompt.matchAll(loraMark)) {
    const [first = '', ...others] = weights.split(':')
    const unet = others.concat(first).find((part) => part.startsWith('unet='))
    const weight = numberOf((unet ?? first).replace(/^\w+=/, ''))
    if (loras.push({ name, weight }) === MAX_LORAS) break
  }
  return loras
}

/** Reads `name: value, name: value`, the form of `Lora hashes` and `Lora weights`. */
const pairsOf = (text: string): Map<string, string> =>
  new Map(
    text
      .split(',')
      .slice(0, MAX_LORAS)
      .map((pair): [string, string] => {
        const colon = pair.lastIndexOf(':')
        return [pair.slice(0, colon).trim(), pair.slice(colon + 1).trim()]
      })
      .filter(([name]) => name !== ''),
  )

/** Returns the LoRAs that only the settings name. */
const lorasInSettings = (value: (key: string) => string | undefined): Loras => {
  const weights = pairsOf(value('lora weights') ?? '')
  const names = new Set([...pairsOf(value('lora hashes') ?? '').keys(), ...weights.keys()])
  const loras: Loras = [...names].map((name) => ({ name, weight: numberOf(weights.get(name)) }))
  for (let index = 0; index < MAX_LORAS; index += 1) {
    // Nodes of ComfyUI, and the extension Additional Networks.
    const name = value(`lora_${index} model name`) ?? value(`addnet model ${index + 1}`)
    if (name === undefined) {
      if (index > 0) break
      continue
    }
    const weight = value(`lora_${index} strength model`) ?? value(`addnet weight a ${index + 1}`)
    loras.push({ name: modelNameOf(name) ?? name, weight: numberOf(weight) })
  }
  return loras
}

/** Settings that have a field in the common form, or say nothing to people. */
const READ_KEYS = new Set([
  ...['steps', 'sampler', 'schedule type', 'scheduler', 'cfg scale', 'guidance scale', 'seed'],
  ...['size', 'model', 'version', 'app', 'lora hashes', 'lora weights', 'ti hashes', 'hashes'],
  ...['civitai resources', 'civitai metadata', 'template', 'negative template'],
])

/** Returns the other settings, as they are written. */
const otherSettings = ({ settings }: A1111Text): Record<string, string> => {
  const others = [...settings].filter(
    ([key, { value }]) => !READ_KEYS.has(key) && value !== '' && value.length <= 200,
  )
  return Object.fromEntries(
    others
      .slice(0, MAX_PARAMETERS)
      .map(([, { label, value }]) => [label, value.slice(0, MAX_PARAMETER_LENGTH)]),
  )
}

/** Reads the fields of a text that is already split. */
export const a1111Fields = (text: A1111Text): NormalFields => {
  const value = (key: string) => text.settings.get(key)?.value
  const [, width, height] = /^(\d{1,6}) ?[x×] ?(\d{1,6})$/.exec(value('size') ?? '') ?? []
  const loras = lorasInPrompt(text.prompt)
  return withResources(text, {
    generator_version: nameOf(value('version')),
    prompt: textOf(text.prompt),
    negative_prompt: textOf(text.negative),
    model: modelNameOf(value('model')),
    seed: seedOf(value('seed')),
    steps: integerOf(value('steps')),
    cfg_scale: numberOf(value('cfg scale') ?? value('guidance scale')),
    sampler: nameOf(value('sampler')),
    scheduler: nameOf(value('schedule type') ?? value('scheduler')),
    // The settings may call the same LoRAs by other names.
    loras: loras.length > 0 ? loras : lorasInSettings(value).slice(0, MAX_LORAS),
    width: integerOf(width),
    height: integerOf(height),
    parameters: otherSettings(text),
  })
}

/** Reads the `parameters` text of A1111 and its forks. A text without settings is a prompt. */
export const readA1111 = (parameters: string): NormalFields => a1111Fields(splitA1111(parameters))

/** Programs that are told apart by the settings of A1111's text. */
export type A1111Program = 'a1111' | 'sdnext' | 'forge' | 'reforge' | 'kritaai' | 'comfyui'

/** Returns the program that wrote a text. */
export const programOf = ({ settings }: A1111Text): A1111Program => {
  const value = (key: string) => settings.get(key)?.value.toLowerCase() ?? ''
  const version = value('version')
  if (version.startsWith('comfyui')) return 'comfyui'
  // Krita's plugin writes no version.
  if (value('model hash') === 'unknown' && version === '') return 'kritaai'
  if (value('app').includes('sd.next') || settings.has('backend')) return 'sdnext'
  if (version.includes('reforge') || /^f1\.\d/.test(version)) return 'reforge'
  if (/^f\d+\./.test(version) || version.startsWith('neo') || version.includes('forge')) {
    return 'forge'
  }
  return 'a1111'
}
