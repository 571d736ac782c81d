import { refusals } from '#contract/refusal.ts'
import type { Health } from '#contract/server/health-operations.ts'
import { Refusal } from '#server/core/refusal.ts'

/** Reason why a library is read-only. */
export type LibraryFault = 'disk_error' | 'damaged' | 'started_read_only'

const texts: Readonly<Record<LibraryFault, string>> = {
  disk_error:
    'The library is read-only, because the disk reported an error. The server tries the disk again at least every 30 seconds and takes changes again when it works.',
  damaged:
    'The library is read-only, because its database is damaged. Stop Tessera and run `tessera doctor`.',
  started_read_only:
    'The library is read-only, because the server was started with --read-only. It takes changes again after a start without it.',
}

/** A fault that is noticed while the server runs. */
export type FoundFault = Exclude<LibraryFault, 'started_read_only'>

/**
 * The state of the library with its reason. A read-only library can still be read completely. A library is away while
 * its data folder is not there.
 */
export class LibraryState {
  #fault: LibraryFault | null
  #isAway = false
  readonly #listeners: ((fault: FoundFault) => void)[] = []

  /** @param options - `isStartedReadOnly`: read-only as long as the server runs. */
  constructor({ isStartedReadOnly = false } = {}) {
    this.#fault = isStartedReadOnly ? 'started_read_only' : null
  }

  onFault(listener: (fault: FoundFault) => void): void {
    this.#listeners.push(listener)
  }

  get fault(): LibraryFault | null {
    return this.#fault
  }

  get isAway(): boolean {
    return this.#isAway
  }

  setAway(isAway: boolean): void {
    this.#isAway = isAway
  }

  get status(): Health['status'] {
    if (this.#isAway) return 'away'
    return this.#fault === null ? 'ok' : 'read_only'
  }

  /** The reason for the user; null if the library is writable. */
  get text(): string | null {
    if (this.#isAway) return refusals.library_away.detail
    return this.#fault === null ? null : texts[this.#fault]
  }

  /** Makes the library read-only. Only damage replaces another reason. */
  fail(fault: FoundFault): void {
    if (this.#fault === fault || (this.#fault !== null && fault !== 'damaged')) return
    this.#fault = fault
    for (const listener of this.#listeners) listener(fault)
  }

  /** Makes the library writable again after a disk error. */
  diskWorks(): void {
    if (this.#fault === 'disk_error') this.#fault = null
  }

  /** Refuses a change before its body is read. Other faults are noticed when the change is stored. */
  assertNotStartedReadOnly(): void {
    if (this.#fault === 'started_read_only') this.assertWritable()
  }

  /** @throws {Refusal} `library_away` */
  assertThere(): void {
    if (this.#isAway) throw new Refusal('library_away')
  }

  /** @throws {Refusal} `library_away`, `library_read_only` */
  assertWritable(): void {
    this.assertThere()
    if (this.text !== null) throw new Refusal('library_read_only', this.text)
  }
}

/** A library that exists but cannot be opened. The message tells the user why. */
export class LibraryError extends Error {
  override readonly name = 'LibraryError'
}

/** The database of a library is used by another process. */
export class DatabaseHeldError extends LibraryError {}

/** Advice for files and a database that do not belong together. */
export const WHAT_TO_DO =
  'Nothing was changed. Put the right tessera.db back, together with its tessera.db-wal if there is one, or a backup of it (see `tessera restore --help`). `tessera doctor --adopt` makes images of files without a record.'
