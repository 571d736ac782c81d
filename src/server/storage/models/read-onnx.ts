import type { ModelHeader } from './model-header.ts'
import { BrokenModel, cutOff, type PartReader } from './part-reader.ts'

/** Field numbers in onnx.proto of the fields read here. */
const model = { graph: 7 }
const graph = { node: 1, name: 2, initializer: 5, input: 11, output: 12 }
const named = { name: 1 }
const initializer = { name: 8, external: 13 }
const entry = { key: 1, value: 2 }
const valueType = 2
const tensorType = 1
const tensor = { element: 1, shape: 2 }
const dimension = { value: 1, name: 2 }
const FLOAT = 1n

const MAX_TEXT_BYTES = 200
/** Maximum number of inputs, outputs and dimensions in a description. */
const MAX_DESCRIBED = 8

interface Range {
  from: number
  to: number
}

export interface ReadOnnx {
  header: ModelHeader
  /** Size of the weights in external files, in bytes. */
  externalBytes: number
}

/** Reads inputs and outputs, and skips weights. @throws {BrokenModel} */
export function readOnnx(file: PartReader): ReadOnnx {
  const graphs = fieldsOf(file, { from: 0, to: file.size }, model.graph)
  const [only] = graphs
  if (only === undefined) throw new BrokenModel('This is no ONNX file: there is no graph in it.')
  const inputs: Range[] = []
  const outputs: Range[] = []
  const weights = new Set<string>()
  let nodes = 0
  let externalBytes = 0
  for (const field of protobufFields(file, only.from, only.to)) {
    if (field.number === graph.node) nodes += 1
    else if (field.number === graph.input) inputs.push(field)
    else if (field.number === graph.output) outputs.push(field)
    else if (field.number === graph.initializer) {
      weights.add(textOf(file, field, initializer.name))
      externalBytes += externalBytesOf(file, field)
    }
  }
  if (nodes === 0 || outputs.length === 0) {
    throw new BrokenModel('The graph of this ONNX file computes nothing.')
  }
  // Older files list their weights among the inputs.
  const given = inputs.filter((input) => !weights.has(textOf(file, input, named.name)))
  const description = `From ${describeShapes(file, given)} to ${describeShapes(file, outputs)}`
  return { header: { base: 'any', type: 'onnx', format: 'onnx', description }, externalBytes }
}

const externalBytesOf = (file: PartReader, weight: Range): number => {
  const length = fieldsOf(file, weight, initializer.external).find(
    (one) => textOf(file, one, entry.key) === 'length',
  )
  return length === undefined ? 0 : Number(textOf(file, length, entry.value)) || 0
}

const fieldsOf = (file: PartReader, { from, to }: Range, number: number): ProtobufField[] =>
  [...protobufFields(file, from, to)].filter((field) => field.number === number)

const textOf = (file: PartReader, range: Range, number: number): string => {
  const [text] = fieldsOf(file, range, number)
  if (text === undefined) return ''
  return file.bytes(text.from, Math.min(text.to - text.from, MAX_TEXT_BYTES)).toString('utf8')
}

/** Returns a description such as `1x3xHxW`. */
const describeShapes = (file: PartReader, values: readonly Range[]): string =>
  values
    .slice(0, MAX_DESCRIBED)
    .map((value) => shapeOf(file, value))
    .join(', ') || 'nothing'

function shapeOf(file: PartReader, value: Range): string {
  const [type] = fieldsOf(file, value, valueType)
  const [ofTensor] = type === undefined ? [] : fieldsOf(file, type, tensorType)
  if (ofTensor === undefined) return 'a value that is not a tensor'
  const [element] = fieldsOf(file, ofTensor, tensor.element)
  const [shape] = fieldsOf(file, ofTensor, tensor.shape)
  const sides = shape === undefined ? [] : fieldsOf(file, shape, dimension.value)
  const text = sides
    .slice(0, MAX_DESCRIBED)
    .map((side) => sideOf(file, side))
    .join('x')
  return `${text || 'any shape'}${element?.value === FLOAT ? '' : ', not 32-bit float'}`
}

/** Returns a number, the name of a dynamic dimension, or `?`. */
function sideOf(file: PartReader, side: Range): string {
  const [fixed] = fieldsOf(file, side, dimension.value)
  return String(fixed?.value ?? (textOf(file, side, dimension.name) || '?'))
}

/** A field of a protobuf message: the position of its value, or the value itself if it is a number. */
interface ProtobufField {
  readonly number: number
  readonly value: bigint | null
  /** Byte range in the file of a value with a length. */
  readonly from: number
  readonly to: number
}

const MAX_VARINT_BYTES = 10
const VARINT = 0
const FIXED_64 = 1
const LENGTH_DELIMITED = 2
const FIXED_32 = 5

/**
 * Yields the fields of the message in a byte range of a file.
 *
 * This is a custom reader, because libraries decode a whole message from memory, and a model's weights are
 * gigabytes. Here they are skipped without reading them.
 *
 * @throws {BrokenModel} These bytes are not a message, or the file ends within it.
 */
function* protobufFields(file: PartReader, from: number, to: number): Generator<ProtobufField> {
  let at = from
  while (at < to) {
    const tag = varint(file, at, to)
    const wireType = Number(tag.value & 7n)
    const number = Number(tag.value >> 3n)
    const field = fieldValue(file, wireType, tag.end, to)
    if (number === 0) throw noMessage()
    at = field.to
    yield { number, ...field }
  }
}

function fieldValue(file: PartReader, wireType: number, at: number, to: number) {
  if (wireType === VARINT) {
    const { value, end } = varint(file, at, to)
    return { value, from: at, to: end }
  }
  const isFixed = wireType === FIXED_32 || wireType === FIXED_64
  if (isFixed)
    return within({ value: null, from: at, to: at + (wireType === FIXED_32 ? 4 : 8) }, to, file)
  if (wireType !== LENGTH_DELIMITED) throw noMessage()
  const length = varint(file, at, to)
  return within({ value: null, from: length.end, to: length.end + Number(length.value) }, to, file)
}

function within<F extends { to: number }>(field: F, to: number, { size }: PartReader): F {
  if (field.to <= to) return field
  throw to === size ? cutOff() : noMessage()
}

function varint(file: PartReader, at: number, to: number): { value: bigint; end: number } {
  let value = 0n
  for (let index = 0; index < MAX_VARINT_BYTES; index++) {
    if (at + index >= to) throw to === file.size ? cutOff() : noMessage()
    const byte = file.bytes(at + index, 1)[0] ?? 0
    value |= BigInt(byte & 0x7f) << BigInt(7 * index)
    if (byte < 0x80) return { value, end: at + index + 1 }
  }
  throw noMessage()
}

const noMessage = () => new BrokenModel('This is no ONNX file: its fields cannot be read.')
