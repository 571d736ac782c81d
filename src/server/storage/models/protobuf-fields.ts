import { BrokenModel, cutOff } from './broken-model.ts'
import type { PartReader } from './part-reader.ts'

/** A field of a protobuf message: where its value lies, or the value itself where it is a number. */
export interface ProtobufField {
  readonly number: number
  readonly value: bigint | null
  /** Of a value with a length, in bytes of the file. */
  readonly from: number
  readonly to: number
}

const MAX_VARINT_BYTES = 10
const VARINT = 0
const FIXED_64 = 1
const LENGTH_DELIMITED = 2
const FIXED_32 = 5

/**
 * The fields of a message that lies from one byte of a file to another.
 *
 * Ours, since libraries decode a message from memory as a whole, and a model's weights are gigabytes: here they
 * are stepped over and never read.
 *
 * @throws {BrokenModel} These bytes are no message, or the file ends within it.
 */
export function* protobufFields(
  file: PartReader,
  from: number,
  to: number,
): Generator<ProtobufField> {
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
