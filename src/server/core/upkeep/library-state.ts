import { Refusal } from '#server/core/refusal.ts'

/** Reason why a library is read-only. */
export type LibraryFault = 'disk_error' | 'damaged'

const texts: Readonly<Record<LibraryFault, string>> = {
  disk_error:
    'The library is read-only, because the disk reported an error. The server tries the disk again at least every 30 seconds and takes changes again when it works.',
  damaged:
    'The library is read-only, because its database is damaged. Stop Tessera and run `tessera doctor`.',
}

/** The read-only state of the library with its reason. A read-only library can still be read completely. */
export class LibraryState {
  #fault: LibraryFault | null = null
  readonly #listeners: ((fault: LibraryFault) => void)[] = []

  onFault(listener: (fault: LibraryFault) => void): void {
    this.#listeners.push(listener)
  }

  get fault(): LibraryFault | null {
    return this.#fault
  }

  /** The reason for the user; null if the library is writable. */
  get text(): string | null {
    return this.#fault === null ? null : texts[this.#fault]
  }

  /** Makes the library read-only. A lesser fault does not replace damage. */
  fail(fault: LibraryFault): void {
    if (this.#fault === fault || this.#fault === 'damaged') return
    this.#fault = fault
    for (const listener of this.#listeners) listener(fault)
  }

  /** Makes the library writable again after a disk error. */
  diskWorks(): void {
    if (this.#fault === 'disk_error') this.#fault = null
  }

  /** @throws {Refusal} `library_read_only` */
  assertWritable(): void {
    if (this.text !== null) throw new Refusal('library_read_only', this.text)
  }
}

/** A library that exists but cannot be opened. The message tells the user why. */
export class LibraryError extends Error {
  override readonly name = 'LibraryError'
}

/** Advice for files and a database that do not belong together. */
export const WHAT_TO_DO =
  'Nothing was changed. Put the right tessera.db back, together with its tessera.db-wal if there is one, or a backup of it (see `tessera restore --help`). `tessera doctor --adopt` makes images of files without a record.'
