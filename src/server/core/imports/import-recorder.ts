import { Refusal } from '#server/core/refusal.ts'
import type { ActiveImport, ActiveImportRecords, ImportCounts } from './active-imports.ts'
import type { ImportRecords } from './import-records.ts'

/** How often it is noted how far an import is, in milliseconds. */
const NOTED_MS = 2000

/**
 * Remembers one import for as long as it is under way, so that whoever opens the library after a crash is told
 * of it.
 */
export class ImportRecorder {
  readonly #records: ActiveImportRecords
  readonly #snapshot: () => ActiveImport
  #timer: NodeJS.Timeout | undefined
  #lastSaved = ''

  /** @param tell - Gives what is to be remembered by now. */
  constructor(records: ActiveImportRecords, snapshot: () => ActiveImport) {
    this.#records = records
    this.#snapshot = snapshot
  }

  async begin(): Promise<void> {
    await this.#records.add(this.#snapshot())
    this.#timer = setInterval(() => void this.#save(), NOTED_MS).unref()
  }

  /** It has ended by itself, or as a person wanted. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    const { import_id } = this.#snapshot()
    await retryWhileBusy(() => this.#records.remove(import_id))
  }

  /** It is cut off, and stays remembered as it is now. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#save()
  }

  /** Never throws: older counts do no harm, and a full disk is told by the files that do not fit. */
  async #save(): Promise<void> {
    const { import_id, found, is_counted, taken_in, linked, known, refused } = this.#snapshot()
    const counts: ImportCounts = { found, is_counted, taken_in, linked, known, refused }
    const text = JSON.stringify(counts)
    if (text === this.#lastSaved) return
    await this.#records.update(import_id, counts).then(
      () => {
        this.#lastSaved = text
      },
      () => {},
    )
  }
}

/** How long it waits before it asks again, in milliseconds. */
const WAIT_MS = 250

/** The same records for who has time: told that they are busy, it asks again until they are not. */
export const withBusyRetry = (records: ImportRecords): ImportRecords => ({
  areKnown: (files) => retryWhileBusy(() => records.areKnown(files)),
  takenNames: (imageNames) => retryWhileBusy(() => records.takenNames(imageNames)),
  hasBytes: (contentHash) => retryWhileBusy(() => records.hasBytes(contentHash)),
  add: (arrivals) => retryWhileBusy(() => records.add(arrivals)),
  boardNamed: (boardName) => retryWhileBusy(() => records.boardNamed(boardName)),
  addBoard: (board) => retryWhileBusy(() => records.addBoard(board)),
  setCover: (boardId, uploadId) => retryWhileBusy(() => records.setCover(boardId, uploadId)),
})

/** Asks until what is asked is not busy. */
const retryWhileBusy = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'busy')) throw error
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
}
