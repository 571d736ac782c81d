import { storedExtensions } from '#contract/media-types.ts'

/** 16 bytes of id, 1 of extension. */
const ENTRY_BYTES = 17
const FIRST_CAPACITY = 256

/** Returns the 32 digits of an ID. Avoids a regular expression, because every start reads up to a million names. */
const digitsOf = (imageName: string): string =>
  imageName.slice(0, 8) +
  imageName.slice(9, 13) +
  imageName.slice(14, 18) +
  imageName.slice(19, 23) +
  imageName.slice(24, 36)

const plainImageName = new RegExp(
  `^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.(?:${storedExtensions.join('|')})$`,
)

/** True if an image may have this name. Names become file names, so no other form is allowed. */
export const isImageName = (name: string): boolean => plainImageName.test(name)

/** Index of the version digit in a UUID. */
const VERSION_AT = 14

/**
 * Returns when an image got its name, in milliseconds since 1970. Tessera's names are UUIDs of version 7, which begin
 * with the time. Returns NaN for names from InvokeAI, which are random UUIDs of version 4; every comparison with NaN
 * is false.
 */
export const timeOfName = (imageName: string): number =>
  imageName.charAt(VERSION_AT) === '7'
    ? Number.parseInt(imageName.slice(0, 8) + imageName.slice(9, 13), 16)
    : Number.NaN

/** Returns the last two digits of the ID, which name the folder of the file. */
export const folderOfName = (imageName: string): string => imageName.slice(34, 36)

/**
 * Compact set of image names, grouped by the last two digits of the ID like the stored files. A million names take 17
 * MB; as strings they would take 100 MB.
 */
export class NameTable {
  readonly #folders = new Map<string, { bytes: Buffer; count: number }>()
  readonly #extensions: string[] = []

  /** Adds a name. Ignores names that are not valid image names. */
  add(imageName: string): void {
    if (imageName.charAt(36) !== '.') return
    const folder = folderOfName(imageName)
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

  /** Yields the names whose ID ends in these two digits, in no particular order. */
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
