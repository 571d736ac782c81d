import type { FoundMetadata } from '#server/storage/metadata/found-metadata.ts'
import {
  integerOf,
  memberOf,
  modelNameOf,
  type NormalFields,
  nameOf,
  numberOf,
  seedOf,
  textOf,
} from '#server/storage/metadata/normal-fields.ts'
import { isObject } from '#server/storage/metadata/parse-embedded-json.ts'

/** Splits `a robot [rust]`: words in square brackets are the negative prompt. */
const splitPrompt = (written: string): { prompt: string; negative: string } => {
  const prompt: string[] = []
  const negative: string[] = []
  for (const [index, part] of written.split('[').entries()) {
    const close = index === 0 ? -1 : part.indexOf(']')
    if (close >= 0) negative.push(part.slice(0, close).trim())
    prompt.push(part.slice(close + 1))
  }
  return { prompt: prompt.join('').trim(), negative: negative.join(', ') }
}

/** Joins the weighted parts of a prompt. */
const promptOf = (prompt: unknown): string => {
  if (typeof prompt === 'string') return prompt
  const parts: unknown[] = Array.isArray(prompt) ? prompt.slice(0, 100) : []
  return parts
    .map((part) => (typeof part === 'string' ? part : textOf(memberOf(part, 'prompt'))))
    .filter((part) => part !== null)
    .join(' ')
}

/** Reads the options of `"a robot" -s 40 -S 11 -A k_lms`, the command in `Dream`. */
const readDream = (command: string): NormalFields => {
  const end = command.lastIndexOf('"')
  const start = command.indexOf('"')
  if (start < 0 || end <= start) return {}
  const options = new Map<string, string>()
  const words = command.slice(end + 1, end + 2000).split(/\s+/)
  for (const [index, word] of words.entries()) {
    const [, name = '', value = ''] = /^-([A-Za-z])(.*)$/.exec(word) ?? []
    if (name !== '') options.set(name, value === '' ? (words[index + 1] ?? '') : value)
  }
  const { prompt, negative } = splitPrompt(command.slice(start + 1, end))
  return {
    prompt: textOf(prompt),
    negative_prompt: textOf(negative),
    seed: seedOf(options.get('S')),
    steps: integerOf(options.get('s')),
    cfg_scale: numberOf(options.get('C')),
    sampler: nameOf(options.get('A')),
    width: integerOf(options.get('W')),
    height: integerOf(options.get('H')),
  }
}

const readSdMetadata = (metadata: Record<string, unknown>): NormalFields => {
  const images: unknown = metadata.images
  const image: unknown = metadata.image ?? (Array.isArray(images) ? images[0] : null)
  if (!isObject(image)) return {}
  const { prompt, negative } = splitPrompt(promptOf(image.prompt))
  return {
    generator_version: nameOf(metadata.app_version),
    prompt: textOf(prompt),
    negative_prompt: textOf(image.negative_prompt) ?? textOf(negative),
    model: modelNameOf(metadata.model_weights) ?? modelNameOf(metadata.model),
    seed: seedOf(image.seed),
    steps: integerOf(image.steps),
    cfg_scale: numberOf(image.cfg_scale),
    sampler: nameOf(image.sampler),
    width: integerOf(image.width),
    height: integerOf(image.height),
  }
}

export const isInvokeai2 = ({ texts }: FoundMetadata): boolean =>
  texts.has('sd-metadata') || /^\s{0,10}"/.test(texts.get('Dream') ?? '')

/** Reads what InvokeAI 2 and its predecessors embed: `sd-metadata`, and the command line in `Dream`. */
export const readInvokeai2 = ({ texts, json }: FoundMetadata): NormalFields => {
  const metadata = json(texts.get('sd-metadata'))
  const fields = metadata === null ? {} : readSdMetadata(metadata)
  const known = Object.entries(fields).filter(([, value]) => value !== null)
  return { ...readDream(texts.get('Dream') ?? ''), ...Object.fromEntries(known) }
}
