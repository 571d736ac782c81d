import type { NormalMetadata } from '#contract/metadata.ts'
import type { EmbeddedMetadata } from '#server/core/images/image-ports.ts'
import {
  cleanText,
  integerOf,
  memberOf,
  type NormalFields,
  nameOf,
  numberOf,
  seedOf,
  textOf,
} from './normal-fields.ts'
import { isJson, parseEmbeddedJson } from './parse-embedded-json.ts'
import { isA1111, readA1111 } from './read-a1111.ts'
import { readComfyui } from './read-comfyui.ts'
import { type ExifBlock, readExif } from './read-exif.ts'

/** Limit of stored characters per file. Longer texts remain only in the file. */
const MAX_RAW_CHARACTERS = 4 * 1024 * 1024

/** Metadata that a decoder found in a file. */
export interface EmbeddedSource {
  comments: readonly { keyword: string; text: string }[]
  exif: Buffer | null
  /** The text of the upload's `metadata` part; an object replaces the embedded InvokeAI metadata. */
  given: string | null
}

const emptyFields: Omit<NormalMetadata, 'raw' | 'generator' | 'is_unread'> = {
  prompt: null,
  negative_prompt: null,
  model: null,
  seed: null,
  steps: null,
  cfg_scale: null,
  sampler: null,
  scheduler: null,
  loras: [],
  width: null,
  height: null,
  camera: null,
  lens: null,
  exposure: null,
}

/** The metadata of a file that could not be read in time. */
export const unreadMetadata: EmbeddedMetadata = {
  invokeai: null,
  normal: { ...emptyFields, generator: null, raw: {}, is_unread: true },
  workflow: null,
  graph: null,
}

/** Returns the texts by the name under which they are embedded. If a name occurs several times, the first one wins. */
const textsOf = (source: EmbeddedSource, exif: ExifBlock | null): Map<string, string> => {
  const texts = new Map<string, string>()
  let left = MAX_RAW_CHARACTERS
  const add = (name: string, text: string) => {
    if (texts.has(name) || text.length > left || text.trim() === '') return
    left -= text.length
    texts.set(name, cleanText(text))
  }
  for (const { keyword, text } of source.comments) add(cleanText(keyword), text)
  for (const [name, text] of Object.entries(exif?.tagged ?? {})) add(name, text)
  const comment = exif?.userComment ?? ''
  add(isA1111(comment) ? 'parameters' : 'user_comment', comment)
  return texts
}

/** Returns an object and its JSON text with all digits, as the API serves it. */
const objectIn = (
  written: string | undefined,
): { value: Record<string, unknown>; text: string } | null => {
  const value = parseEmbeddedJson(written, { keepsDigits: true })
  if (value === null || written === undefined) return null
  // Python's `NaN` is invalid JSON and would break clients.
  return { value, text: isJson(written) ? written : JSON.stringify(value) }
}

/** Reads the fields of the generator, from the richest source to the poorest. */
const generatedFields = (
  invokeai: Record<string, unknown> | null,
  texts: ReadonlyMap<string, string>,
): { generator: NormalMetadata['generator']; fields: NormalFields } => {
  if (invokeai !== null) return { generator: 'invokeai', fields: readInvokeai(invokeai) }
  const parameters = texts.get('parameters')
  if (parameters !== undefined && isA1111(parameters)) {
    return { generator: 'a1111', fields: readA1111(parameters) }
  }
  const graph = parseEmbeddedJson(texts.get('prompt'), { keepsDigits: true })
  const comfyui = graph === null ? null : readComfyui(graph)
  if (comfyui !== null) return { generator: 'comfyui', fields: comfyui }
  // Other programs write only a prompt under this name.
  const isBarePrompt = parameters !== undefined && !parameters.trimStart().startsWith('{')
  return { generator: null, fields: isBarePrompt ? readA1111(parameters) : {} }
}

/** Converts metadata into one form. Leaves out broken or hostile parts: they never make an upload fail. */
export const readEmbeddedMetadata = (
  source: EmbeddedSource,
): { metadata: EmbeddedMetadata; takenAt: number | null } => {
  const exif = source.exif === null ? null : readExif(source.exif)
  const texts = textsOf(source, exif)
  const embedded = objectIn(texts.get('invokeai_metadata'))
  const provided = objectIn(source.given ?? undefined)
  // Drops a given text that equals the embedded one, so that a re-imported export has the same metadata as before.
  const given = provided?.text === embedded?.text ? null : provided
  const invokeai = given ?? embedded
  const { generator, fields } = generatedFields(invokeai?.value ?? null, texts)
  const isComfyui = generator === 'comfyui'
  const raw: Record<string, unknown> = Object.fromEntries(texts)
  if (exif !== null && Object.keys(exif.readable).length > 0) raw.exif = exif.readable
  if (given !== null) raw.metadata = source.given
  const isCamera = (exif?.fields.camera ?? null) !== null
  const jsonText = (name: string): string | null => {
    const text = texts.get(name)
    return text === undefined || parseEmbeddedJson(text) === null ? null : text
  }
  const isEmpty = Object.keys(raw).length === 0
  return {
    takenAt: exif?.takenAt ?? null,
    metadata: {
      invokeai: invokeai?.text ?? null,
      normal: isEmpty
        ? null
        : {
            ...emptyFields,
            ...exif?.fields,
            ...fields,
            generator: generator ?? (isCamera ? 'camera' : null),
            raw,
          },
      workflow: jsonText('invokeai_workflow') ?? (isComfyui ? jsonText('workflow') : null),
      graph: jsonText('invokeai_graph') ?? (isComfyui ? jsonText('prompt') : null),
    },
  }
}

/** Returns a model's name, in the current form or in that of InvokeAI 3. */
const modelOf = (model: unknown): string | null =>
  nameOf(memberOf(model, 'name')) ?? nameOf(memberOf(model, 'model_name')) ?? nameOf(model)

const loraOf = (lora: unknown): { name: string; weight: number | null }[] => {
  const name = modelOf(memberOf(lora, 'model')) ?? modelOf(memberOf(lora, 'lora'))
  return name === null ? [] : [{ name, weight: numberOf(memberOf(lora, 'weight')) }]
}

/** Reads the object that InvokeAI embeds as `invokeai_metadata` and accepts as an upload's `metadata` part. */
const readInvokeai = (metadata: Record<string, unknown>): NormalFields => ({
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
