import { readSync } from 'node:fs'

/** Read at once, since what is wanted of a header lies close together. */
const WINDOW_BYTES = 64 * 1024

/** Far more than the header of any model has; a file that was made to keep the server busy has more. */
const MAX_PARTS = 2_000_000

/** Reads small parts of a file that may be huge. For a thread of its own: it waits for the disk. */
export class PartReader {
  readonly size: number
  readonly #descriptor: number
  #window: Buffer = Buffer.alloc(0)
  #windowAt = 0
  #parts = 0

  /** @param size - Of the file, in bytes. */
  constructor(descriptor: number, size: number) {
    this.#descriptor = descriptor
    this.size = size
  }

  /** @throws {BrokenModel} The file ends before the part does, or more was asked for than a header has. */
  bytes(at: number, length: number): Buffer {
    if (at + length > this.size) throw cutOff()
    this.#parts += 1
    if (this.#parts > MAX_PARTS)
      throw new BrokenModel('The header is larger than that of any model.')
    const from = at - this.#windowAt
    if (from >= 0 && from + length <= this.#window.length) {
      return this.#window.subarray(from, from + length)
    }
    const window = Buffer.alloc(Math.min(Math.max(length, WINDOW_BYTES), this.size - at))
    const read = readSync(this.#descriptor, window, 0, window.length, at)
    if (read < length) throw cutOff()
    this.#window = window.subarray(0, read)
    this.#windowAt = at
    return this.#window.subarray(0, length)
  }
}

/** A file is no model that can be used. The message says what is wrong with it, for the person who put it there. */
export class BrokenModel extends Error {
  override readonly name = 'BrokenModel'
}

/** What a file looks like whose copying or download has not come to its end. */
export const cutOff = (): BrokenModel => new BrokenModel('The file is cut off: its end is missing.')
