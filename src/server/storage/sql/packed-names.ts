import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonText } from '#server/core/images/image-ports.ts'

/** Names per database read: a text of 400 kB. */
export const NAMES_PER_PART = 10_000

/** A file name has at most 255 bytes, plus quotes and a comma. Only address space is reserved. */
const MAX_NAME_BYTES = 300

const PIECE_BYTES = 65_536

/**
 * A JSON array of names in memory that is moved between threads. It is resizable, so that it can grow without a copy
 * and be freed immediately: an idle thread collects no garbage, and the allocator may keep freed memory.
 */
export type PackedNames = ArrayBuffer

/** `parts` are non-empty JSON arrays, and `most` is an upper bound of the number of names. */
export const packNames = async (parts: AsyncIterable<string>, most: number) => {
  const packed = new ArrayBuffer(0, { maxByteLength: 2 + most * MAX_NAME_BYTES })
  const add = (text: string) => {
    const at = packed.byteLength
    packed.resize(at + Buffer.byteLength(text))
    Buffer.from(packed, at).write(text)
  }
  add('[')
  for await (const part of parts) add((packed.byteLength > 1 ? ',' : '') + part.slice(1, -1))
  add(']')
  return packed
}

/** Returns the text of packed names, which can be read once. */
export const unpackNames = (packed: PackedNames): JsonText => ({
  bytes: packed.byteLength,
  pieces: piecesOf(packed),
})

/** Copies each piece, because it may still be in a socket's queue when the memory is freed. */
async function* piecesOf(packed: PackedNames): AsyncGenerator<Uint8Array> {
  try {
    for (let from = 0; from < packed.byteLength; from += PIECE_BYTES) {
      if (from > 0) await nextTurn()
      yield new Uint8Array(packed.slice(from, from + PIECE_BYTES))
    }
  } finally {
    packed.resize(0)
  }
}
