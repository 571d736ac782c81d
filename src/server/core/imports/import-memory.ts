import { Refusal } from '#server/core/refusal.ts'
import type { ImportRecords } from './import-records.ts'
import type { ImportCounts, ImportsUnderWay, ImportUnderWay } from './imports-under-way.ts'

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

/** How long it waits before it asks again, in milliseconds. */
const WAIT_MS = 250

/** The same records for who has time: told that they are busy, it asks again until they are not. */
export const patientImportRecords = (records: ImportRecords): ImportRecords => ({
  areKnown: (files) => patiently(() => records.areKnown(files)),
  takenNames: (imageNames) => patiently(() => records.takenNames(imageNames)),
  hasBytes: (contentHash) => patiently(() => records.hasBytes(contentHash)),
  add: (arrivals) => patiently(() => records.add(arrivals)),
  boardNamed: (boardName) => patiently(() => records.boardNamed(boardName)),
  addBoard: (board) => patiently(() => records.addBoard(board)),
  setCover: (boardId, uploadId) => patiently(() => records.setCover(boardId, uploadId)),
})

/** Asks until what is asked is not busy. */
const patiently = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'busy')) throw error
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
}
