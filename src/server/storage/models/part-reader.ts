import { readSync } from 'node:fs'

/** Size of one read. The parts of a header are close together. */
const WINDOW_BYTES = 64 * 1024

/** Far more than the header of any real model has. Files made to keep the server busy have more. */
const MAX_PARTS = 2_000_000

/** Reads small parts of a file that may be huge. Reads are synchronous, so use it in a separate thread. */
export class PartReader {
  readonly size: number
  readonly #descriptor: number
  #window: Buffer = Buffer.alloc(0)
  #windowAt = 0
  #parts = 0

  /** @param size - Size of the file in bytes. */
  constructor(descriptor: number, size: number) {
    this.#descriptor = descriptor
    this.size = size
  }

  /** @throws {BrokenModel} The part extends beyond the end of the file, or too many parts were read. */
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

/** The file is not a usable model. The message is user-readable. */
export class BrokenModel extends Error {
  override readonly name = 'BrokenModel'
}

/** Returns the error for a file whose copy or download is incomplete. */
export const cutOff = (): BrokenModel => new BrokenModel('The file is cut off: its end is missing.')
