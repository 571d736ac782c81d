import { BrokenModel, cutOff } from './broken-model.ts'
import { type ModelHeader, type ModelKind, UNTOLD, untold } from './model-header.ts'
import type { PartReader } from './part-reader.ts'
import { kindOfSafetensors } from './safetensors-kind.ts'

/**
 * Headers of real models have up to a few MiB. The format allows 100 MB, but JSON of that size can take gigabytes
 * in memory, and a thread that runs out of it ends the whole server.
 */
const MAX_HEADER_BYTES = 16 * 1024 * 1024
const LENGTH_BYTES = 8
const NOTES = '__metadata__'
const MAX_DESCRIPTION_LENGTH = 2_000

/** As InvokeAI names them; every other type is a `checkpoint`. */
const formats: Partial<Record<ModelKind['type'], ModelHeader['format']>> = {
  lora: 'lycoris',
  embedding: 'embedding_file',
}

/** The header of a safetensors file: tensors by name, and the notes of whoever wrote it. */
export interface SafetensorsHeader {
  /** Sides by name. */
  readonly shapes: ReadonlyMap<string, readonly number[]>
  readonly notes: Readonly<Record<string, string>>
}

/** @throws {BrokenModel} */
export function readSafetensors(file: PartReader): ModelHeader {
  const header = headerOf(file)
  const kind = kindOfSafetensors(header)
  const { 'modelspec.description': description, ss_training_comment: comment } = header.notes
  const told = description ?? comment ?? (kind === untold ? UNTOLD : '')
  return {
    ...kind,
    format: formats[kind.type] ?? 'checkpoint',
    description: told.slice(0, MAX_DESCRIPTION_LENGTH),
  }
}

function headerOf(file: PartReader): SafetensorsHeader {
  const length = Number(file.bytes(0, LENGTH_BYTES).readBigUInt64LE())
  if (length > MAX_HEADER_BYTES) {
    throw new BrokenModel('This is no safetensors file: its header would be larger than 16 MiB.')
  }
  const header = parse(file.bytes(LENGTH_BYTES, length).toString('utf8'))
  const shapes = new Map<string, readonly number[]>()
  let end = 0
  // Thousands of tensors, in up to hundreds of files: none of them is copied.
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
