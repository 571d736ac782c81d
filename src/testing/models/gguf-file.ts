import type { TensorShapes } from './safetensors-file.ts'

const VERSION = 3
const STRING = 8
const F32 = 0
const ALIGNMENT = 32

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const uint64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint64(bytes.length), bytes])
}

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

/** Creates a GGUF file of zeros: texts by key, and tensors of 32-bit floats. */
export function ggufFile(texts: Readonly<Record<string, string>>, shapes: TensorShapes): Buffer {
  let end = 0
  const tensors = Object.entries(shapes).flatMap(([name, shape]) => {
    const from = aligned(end)
    end = from + 4 * shape.reduce((product, side) => product * side, 1)
    return [text(name), uint32(shape.length), ...shape.map(uint64), uint32(F32), uint64(from)]
  })
  const header = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(VERSION),
    uint64(Object.keys(shapes).length),
    uint64(Object.keys(texts).length),
    ...Object.entries(texts).flatMap(([key, value]) => [text(key), uint32(STRING), text(value)]),
    ...tensors,
  ])
  return Buffer.concat([header, Buffer.alloc(aligned(header.length) - header.length + end)])
}
