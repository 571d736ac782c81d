import { setImmediate as nextTurn } from 'node:timers/promises'

/** About 25,000 names: what takes the event loop a few milliseconds. */
const BYTES_A_TURN = 1_000_000

const NEWLINE = 10

/** Names in memory that threads share. Cloning a million of them would hold the event loop for a third of a second. */
export type PackedNames = Uint8Array

/** @param text - Names, one a line. */
export const packNames = (text: string): PackedNames => {
  const packed = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
  packed.write(text)
  return packed
}

/** The names again, a part at a time, with room for other work in between. */
export const unpackNames = async (packed: PackedNames): Promise<string[]> => {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const names: string[] = []
  let from = 0
  while (from < bytes.length) {
    if (from > 0) await nextTurn()
    const end = bytes.indexOf(NEWLINE, from + BYTES_A_TURN)
    const to = end < 0 ? bytes.length : end
    for (const name of bytes.toString('utf8', from, to).split('\n')) names.push(name)
    from = to + 1
  }
  return names
}
