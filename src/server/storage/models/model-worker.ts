import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { extname } from 'node:path'
import { GGMLQuantizationType, type GGUFTensorInfo, gguf } from '@huggingface/gguf'
import { createBLAKE3 } from 'hash-wasm'
import { type ModelHeader, type ModelKind, UNKNOWN_KIND_TEXT, unknownKind } from './model-header.ts'
import { BrokenModel, cutOff, PartReader } from './part-reader.ts'
import { type ReadOnnx, readOnnx } from './read-onnx.ts'
import { readSafetensors } from './read-safetensors.ts'

/** The state of a file, used to detect changes. */
export interface FileState {
  size: number
  /** In milliseconds since 1970. */
  modifiedMs: number
}

/** The result of reading a file: its header, or its fault. */
export type ReadModel = FileState & { createdMs: number } & (
    | { header: ModelHeader; fault: null; externalBytes: number }
    | { header: null; fault: string }
  )

export type HashedModel = FileState & { hash: string }

/** Shared, because only one file is hashed at a time. */
const block = Buffer.alloc(4 * 1024 * 1024)
const hashing = createBLAKE3()

/** Reads a header. null: there is no file at `path`. */
export const readModel = (path: string): Promise<ReadModel | null> =>
  withFile(path, async (file, stats) => {
    const state = { ...stateOf(stats), createdMs: stats.birthtimeMs }
    try {
      const read = await headerOf(path, new PartReader(file, stats.size))
      return { ...state, ...read, fault: null }
    } catch (error) {
      if (error instanceof BrokenModel) return { ...state, header: null, fault: error.message }
      throw error
    }
  })

/** Computes InvokeAI's hash of a single file: BLAKE3 over its bytes. null: there is no file at `path`. */
export const hashModel = (path: string): Promise<HashedModel | null> =>
  withFile(path, async (file, stats) => {
    const hasher = await hashing
    hasher.init()
    for (let read = -1; read !== 0; ) {
      read = readSync(file, block)
      hasher.update(block.subarray(0, read))
    }
    return { ...stateOf(stats), hash: `blake3:${hasher.digest('hex')}` }
  })

const headerOf = async (path: string, file: PartReader): Promise<ReadOnnx> => {
  if (file.size === 0) throw new BrokenModel('The file is empty.')
  const extension = extname(path).toLowerCase()
  if (extension === '.onnx') return readOnnx(file)
  const header = extension === '.gguf' ? await readGguf(path, file) : readSafetensors(file)
  return { header, externalBytes: 0 }
}

const stateOf = (stats: { size: number; mtimeMs: number }): FileState => ({
  size: stats.size,
  modifiedMs: stats.mtimeMs,
})

async function withFile<T>(
  path: string,
  read: (file: number, stats: Stats) => Promise<T>,
): Promise<T | null> {
  const file = openIfThere(path)
  if (file === null) return null
  try {
    const stats = fstatSync(file)
    return stats.isFile() ? await read(file, stats) : null
  } finally {
    closeSync(file)
  }
}

/** Follows no link, which could lead out of the folder, and does not wait for a writer of a pipe. */
function openIfThere(path: string): number | null {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'ELOOP') return null
    throw error
  }
}

/** The used part of the library's result. Checking its full type takes TypeScript seconds. */
interface Parsed {
  readonly metadata: object
  readonly tensorInfos: readonly GGUFTensorInfo[]
  readonly tensorDataOffset: bigint
}

const MAX_NAME_LENGTH = 200

const Q = GGMLQuantizationType

/** Number of elements per block and size of a block in bytes, by type. */
const blocks: Readonly<Record<number, readonly [count: number, bytes: number]>> = {
  [Q.F32]: [1, 4],
  [Q.F16]: [1, 2],
  [Q.BF16]: [1, 2],
  [Q.Q4_0]: [32, 18],
  [Q.Q4_1]: [32, 20],
  [Q.Q5_0]: [32, 22],
  [Q.Q5_1]: [32, 24],
  [Q.Q8_0]: [32, 34],
  [Q.Q2_K]: [256, 84],
  [Q.Q3_K]: [256, 110],
  [Q.Q4_K]: [256, 144],
  [Q.Q5_K]: [256, 176],
  [Q.Q6_K]: [256, 210],
}

/** Kinds by `general.architecture`, as far as InvokeAI 6.8 has a word for them. */
const kindsByArchitecture: Readonly<Record<string, ModelKind>> = {
  flux: { type: 'main', base: 'flux' },
  sd1: { type: 'main', base: 'sd-1' },
  sdxl: { type: 'main', base: 'sdxl' },
  sd3: { type: 'main', base: 'sd-3' },
  t5: { type: 't5_encoder', base: 'any' },
  t5encoder: { type: 't5_encoder', base: 'any' },
}

/** Far more than real models have. The library's own limits allow headers of gigabytes. */
const MAX_TENSORS = 200_000
const MAX_NOTES = 10_000

/** @throws {BrokenModel} */
async function readGguf(path: string, file: PartReader): Promise<ModelHeader> {
  checkCounts(file)
  const parsed = await parse(path)
  if (endOf(parsed) > file.size) throw cutOff()
  const architecture = textOf(parsed, 'general.architecture')
  const kind = kindOf(parsed, architecture)
  const parts = [textOf(parsed, 'general.name'), architecture, quantizationOf(parsed)]
  return {
    ...(kind ?? unknownKind),
    format: 'gguf_quantized',
    description:
      kind === null && architecture === '' ? UNKNOWN_KIND_TEXT : parts.filter(Boolean).join(', '),
  }
}

async function parse(path: string): Promise<Parsed> {
  try {
    return await gguf(path, { allowLocalFile: true })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new BrokenModel(`This is no GGUF file that can be read: ${reason}.`, { cause })
  }
}

/** Version 1 has 32-bit counts. The library refuses other unknown versions. */
function checkCounts(file: PartReader): void {
  const start = file.bytes(0, 24)
  const isLittle = start.readUInt16LE(4) !== 0
  const isFirst = start.readUInt32LE(4) === 1
  const count = (at: number) => {
    if (isFirst) return start.readUInt32LE(8 + (at - 8) / 2)
    return Number(isLittle ? start.readBigUInt64LE(at) : start.readBigUInt64BE(at))
  }
  if (start.toString('latin1', 0, 4) !== 'GGUF') return
  if (count(8) > MAX_TENSORS || count(16) > MAX_NOTES) {
    throw new BrokenModel(
      'The header of this GGUF file has more tensors or notes than any model has.',
    )
  }
}

/** Some FLUX files have no architecture name. */
function kindOf({ tensorInfos }: Parsed, architecture: string): ModelKind | null {
  const known = kindsByArchitecture[architecture]
  if (known !== undefined) return known
  const isFlux =
    architecture === '' && tensorInfos.some(({ name }) => /^double_blocks\.\d/.test(name))
  return isFlux ? { type: 'main', base: 'flux' } : null
}

/** Returns the end position of the last tensor. The library reads zeros and empty names beyond the end of a file. */
const endOf = ({ tensorInfos, tensorDataOffset }: Parsed): number =>
  tensorInfos.reduce((end, tensor) => {
    if (tensor.name === '') return Number.POSITIVE_INFINITY
    return Math.max(end, Number(tensorDataOffset + tensor.offset) + bytesOf(tensor))
  }, Number(tensorDataOffset))

/** Returns 0 for rare types: then only the start of the tensor is checked. */
const bytesOf = ({ shape, dtype }: GGUFTensorInfo): number => {
  const [count, bytes] = blocks[dtype] ?? [1, 0]
  const elements = shape.reduce((product, side) => product * Number(side), 1)
  return Math.ceil(elements / count) * bytes
}

const textOf = ({ metadata }: Parsed, key: string): string => {
  const value = (metadata as Record<string, unknown>)[key]
  return typeof value === 'string' ? value.slice(0, MAX_NAME_LENGTH) : ''
}

/** Returns the quantization of most tensors, such as `Q4_K`. */
function quantizationOf({ tensorInfos }: Parsed): string {
  const groups = Map.groupBy(tensorInfos, ({ dtype }) => dtype)
  const [most] = [...groups].sort(([, a], [, b]) => b.length - a.length)
  return most === undefined ? '' : (Q[most[0]] ?? '')
}
