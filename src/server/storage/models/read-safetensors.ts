import { type ModelHeader, type ModelKind, UNKNOWN_KIND_TEXT, unknownKind } from './model-header.ts'
import { BrokenModel, cutOff, type PartReader } from './part-reader.ts'

/**
 * Headers of real models have up to a few MiB. The format allows 100 MB, but JSON of that size can take gigabytes in
 * memory, and a thread that runs out of memory ends the whole server.
 */
const MAX_HEADER_BYTES = 16 * 1024 * 1024
const LENGTH_BYTES = 8
const NOTES = '__metadata__'
const MAX_DESCRIPTION_LENGTH = 2_000

/** Named as in InvokeAI; every other type is a `checkpoint`. */
const formats: Partial<Record<ModelKind['type'], ModelHeader['format']>> = {
  lora: 'lycoris',
  embedding: 'embedding_file',
}

type SafetensorsHeader = ReturnType<typeof headerOf>

/** @throws {BrokenModel} */
export function readSafetensors(file: PartReader): ModelHeader {
  const header = headerOf(file)
  const kind = kindOfSafetensors(header)
  const { 'modelspec.description': description, ss_training_comment: comment } = header.notes
  const text = description ?? comment ?? (kind === unknownKind ? UNKNOWN_KIND_TEXT : '')
  return {
    ...kind,
    format: formats[kind.type] ?? 'checkpoint',
    description: text.slice(0, MAX_DESCRIPTION_LENGTH),
  }
}

/** Returns the dimensions of the tensors by name, and the free-form metadata. */
function headerOf(file: PartReader) {
  const length = Number(file.bytes(0, LENGTH_BYTES).readBigUInt64LE())
  if (length > MAX_HEADER_BYTES) {
    throw new BrokenModel('This is no safetensors file: its header would be larger than 16 MiB.')
  }
  const header = parse(file.bytes(LENGTH_BYTES, length).toString('utf8'))
  const shapes = new Map<string, readonly number[]>()
  let end = 0
  // Iterates without copying: there are thousands of tensors, in up to hundreds of files.
  for (const name in header) {
    if (name === NOTES) continue
    const tensor = header[name]
    if (!isTensor(tensor)) {
      throw new BrokenModel(`The header says nothing sensible about the tensor ${name}.`)
    }
    shapes.set(name, tensor.shape)
    end = Math.max(end, tensor.data_offsets[1])
  }
  if (LENGTH_BYTES + length + end > file.size) throw cutOff()
  return { shapes, notes: textsOf(header[NOTES]) }
}

function parse(text: string): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(text)
    if (typeof header === 'object' && header !== null && !Array.isArray(header)) {
      return header as Record<string, unknown>
    }
  } catch {}
  throw new BrokenModel('This is no safetensors file: its header is not readable.')
}

const isTensor = (
  tensor: unknown,
): tensor is { shape: number[]; data_offsets: [number, number] } => {
  const { shape, data_offsets: offsets } = (tensor ?? {}) as Record<string, unknown>
  return isListOfCounts(shape) && isListOfCounts(offsets) && offsets.length === 2
}

const isListOfCounts = (list: unknown): list is number[] =>
  Array.isArray(list) && list.every((one) => Number.isSafeInteger(one) && one >= 0)

const textsOf = (notes: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(notes ?? {}).filter(
      (note): note is [string, string] => typeof note[1] === 'string',
    ),
  )

/** From the metadata, or else from the names and shapes of the tensors. */
function kindOfSafetensors({ shapes, notes }: SafetensorsHeader): ModelKind {
  const type = typeOfNotes(notes) ?? typeOfTensors([...shapes.keys()])
  if (type === null) return unknownKind
  return { type, base: baseOfNotes(notes) ?? baseOfTensors(shapes, type) ?? 'any' }
}

type Base = ModelKind['base']
type Type = ModelKind['type']
type Notes = SafetensorsHeader['notes']

/** Reads the metadata of kohya's trainer and of Stability's "modelspec". */
function typeOfNotes(notes: Notes): Type | null {
  const [, adapter] = (notes['modelspec.architecture'] ?? '').toLowerCase().split('/')
  if (adapter === 'lora' || notes.ss_network_module !== undefined) return 'lora'
  if (adapter === 'textual-inversion') return 'embedding'
  return null
}

const basesByWords: readonly (readonly [RegExp, Base])[] = [
  [/refiner/, 'sdxl-refiner'],
  [/stable-diffusion-xl|sdxl/, 'sdxl'],
  [/stable-diffusion-v1|^sd_v1/, 'sd-1'],
  [/stable-diffusion-v2|^sd_v2/, 'sd-2'],
  [/stable-diffusion-v?3|^sd3/, 'sd-3'],
  [/^flux-?1/, 'flux'],
]

function baseOfNotes(notes: Notes): Base | null {
  const words = [notes['modelspec.architecture'], notes.ss_base_model_version]
    .filter((word) => word !== undefined)
    .map((word) => word.toLowerCase())
  return basesByWords.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1] ?? null
}

/** The order matters: a full checkpoint also contains an autoencoder and a text encoder. */
const typesByTensors: readonly (readonly [RegExp, Type])[] = [
  [/\.lora_(down|up|A|B)\.|\.hada_w1_|\.lokr_w[12]/, 'lora'],
  [/^control_model\.|^controlnet_cond_embedding\.|^controlnet_mid_block/, 'controlnet'],
  [/^ip_adapter\./, 'ip_adapter'],
  [/^adapter\.body\./, 't2i_adapter'],
  [/(^|\.)(input_blocks|joint_blocks|double_blocks)\.\d/, 'main'],
  [/(^|\.)decoder\.conv_in\.weight$/, 'vae'],
  [/^emb_params$|^string_to_param|^clip_[gl]$/, 'embedding'],
  [/^encoder\.block\.0\.layer\.0\.SelfAttention\./, 't5_encoder'],
  [/^vision_model\.embeddings\.class_embedding$/, 'clip_vision'],
  [/^text_model\.encoder\.layers\.0\./, 'clip_embed'],
  [/^model\.1\.sub\.0\.RDB1\.|^body\.0\.rdb1\./, 'spandrel_image_to_image'],
]

const typeOfTensors = (names: readonly string[]): Type | null =>
  typesByTensors.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ?? null

/** Stable Diffusion bases by the width of their text conditioning. */
const basesByWidth: Readonly<Record<number, Base>> = {
  768: 'sd-1',
  1024: 'sd-2',
  1280: 'sdxl-refiner',
  2048: 'sdxl',
}

const CROSS_ATTENTION = /attn2[._]to_k(\.lora_down|\.lora_A|_ip)?\.weight$|\.to_k_ip\.weight$/

const typesWithBase: readonly Type[] = ['main', 'lora', 'controlnet', 'ip_adapter', 'embedding']

function baseOfTensors(shapes: SafetensorsHeader['shapes'], type: Type): Base | null {
  if (!typesWithBase.includes(type)) return null
  const names = [...shapes.keys()]
  if (names.some((name) => /double_blocks[._]\d|single_transformer_blocks/.test(name)))
    return 'flux'
  if (names.some((name) => /(^|\.)joint_blocks\.\d/.test(name))) return 'sd-3'
  if (shapes.has('clip_g')) return 'sdxl'
  if (names.some((name) => name.startsWith('lora_te2_'))) return 'sdxl'
  const sample =
    shapes.get('emb_params') ?? shapes.get(names.find((n) => CROSS_ATTENTION.test(n)) ?? '')
  return basesByWidth[sample?.at(-1) ?? 0] ?? null
}
