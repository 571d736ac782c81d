/** 16 bytes of id, 1 of extension. */
const ENTRY_BYTES = 17
const FIRST_CAPACITY = 256

/** The 32 digits of an id. Not by a pattern: a library of a million is read at every start. */
const digitsOf = (imageName: string): string =>
  imageName.slice(0, 8) +
  imageName.slice(9, 13) +
  imageName.slice(14, 18) +
  imageName.slice(19, 23) +
  imageName.slice(24, 36)

/** Image names begin with a UUID v7, whose first 48 bits are a time in milliseconds since 1970. */
export const timeOfName = (imageName: string): number =>
  Number.parseInt(imageName.slice(0, 8) + imageName.slice(9, 13), 16)

/**
 * Image names by the last two digits of their id, which is how files are kept too: a million names in
 * 17 MB, where as strings they would take a hundred.
 */
export class NameTable {
  readonly #folders = new Map<string, { bytes: Buffer; count: number }>()
  readonly #extensions: string[] = []

  /** Names of any other form are left out: no file could be theirs. */
  add(imageName: string): void {
    if (imageName.charAt(36) !== '.') return
    const folder = imageName.slice(34, 36)
    const list = this.#folders.get(folder) ?? {
      bytes: Buffer.alloc(FIRST_CAPACITY * ENTRY_BYTES),
      count: 0,
    }
    this.#folders.set(folder, list)
    const at = list.count * ENTRY_BYTES
    if (at === list.bytes.length) {
      const larger = Buffer.alloc(list.bytes.length * 2)
      list.bytes.copy(larger)
      list.bytes = larger
    }
    if (list.bytes.write(digitsOf(imageName), at, 'hex') !== 16) return
    list.bytes[at + 16] = this.#extensionCode(imageName.slice(37))
    list.count++
  }

  /** The names whose ids end in these two digits, in no order. */
  *namesIn(folder: string): Generator<string> {
    const list = this.#folders.get(folder)
    if (list === undefined) return
    for (let at = 0; at < list.count * ENTRY_BYTES; at += ENTRY_BYTES) {
      const digits = list.bytes.toString('hex', at, at + 16)
      const id = [
        digits.slice(0, 8),
        digits.slice(8, 12),
        digits.slice(12, 16),
        digits.slice(16, 20),
        digits.slice(20),
      ].join('-')
      yield `${id}.${this.#extensions[list.bytes[at + 16] ?? 0]}`
    }
  }

  #extensionCode(extension: string): number {
    const known = this.#extensions.indexOf(extension)
    return known >= 0 ? known : this.#extensions.push(extension) - 1
  }
}
