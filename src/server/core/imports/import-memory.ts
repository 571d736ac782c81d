import type { ImportCounts, ImportsUnderWay, ImportUnderWay } from './imports-under-way.ts'
import { patiently } from './patient-import-records.ts'

/** How often it is noted how far an import is, in milliseconds. */
const NOTED_MS = 2000

/**
 * Remembers one import for as long as it is under way, so that whoever opens the library after a crash is told
 * of it.
 */
export class ImportMemory {
  readonly #records: ImportsUnderWay
  readonly #tell: () => ImportUnderWay
  #timer: NodeJS.Timeout | undefined
  #noted = ''

  /** @param tell - Gives what is to be remembered by now. */
  constructor(records: ImportsUnderWay, tell: () => ImportUnderWay) {
    this.#records = records
    this.#tell = tell
  }

  async begin(): Promise<void> {
    await this.#records.add(this.#tell())
    this.#timer = setInterval(() => void this.#note(), NOTED_MS).unref()
  }

  /** It has ended by itself, or as a person wanted. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    const { import_id } = this.#tell()
    await patiently(() => this.#records.remove(import_id))
  }

  /** It is cut off, and stays remembered as it is now. */
  async leave(): Promise<void> {
    clearInterval(this.#timer)
    await this.#note()
  }

  /** Never throws: older counts do no harm, and a full disk is told by the files that do not fit. */
  async #note(): Promise<void> {
    const { import_id, found, is_counted, taken_in, linked, known, refused } = this.#tell()
    const counts: ImportCounts = { found, is_counted, taken_in, linked, known, refused }
    const text = JSON.stringify(counts)
    if (text === this.#noted) return
    await this.#records.update(import_id, counts).then(
      () => {
        this.#noted = text
      },
      () => {},
    )
  }
}
