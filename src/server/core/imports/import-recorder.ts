import { Refusal } from '#server/core/refusal.ts'
import type { ActiveImportRecords } from './active-imports.ts'
import type { ImportProgress } from './import-progress.ts'
import type { ImportRecords } from './import-records.ts'

/** Interval of saving the progress, in milliseconds. */
const NOTED_MS = 2000

/** Stores an import while it is active, so that it can be resumed after a crash. */
export class ImportRecorder {
  readonly #records: ActiveImportRecords
  readonly #progress: ImportProgress
  #timer: NodeJS.Timeout | undefined
  #lastSaved = ''

  constructor(records: ActiveImportRecords, progress: ImportProgress) {
    this.#records = records
    this.#progress = progress
  }

  async begin(): Promise<void> {
    await this.#records.add(this.#progress.toActiveImport())
    this.#timer = setInterval(() => void this.#save(), NOTED_MS).unref()
  }

  /** Removes the stored import, because it completed or was canceled. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await retryWhileBusy(() => this.#records.remove(this.#progress.importId))
  }

  /** Saves a final state of an interrupted import, which remains stored. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#save()
  }

  /** Saves the counts. Never throws: outdated counts do no harm, and the import itself reports a full disk. */
  async #save(): Promise<void> {
    const { importId, counts } = this.#progress
    const text = JSON.stringify(counts)
    if (text === this.#lastSaved) return
    await this.#records.update(importId, counts).then(
      () => {
        this.#lastSaved = text
      },
      () => {},
    )
  }
}

const WAIT_MS = 250

/** Wraps import records so that calls are retried while the database is busy. */
export const withBusyRetry = (records: ImportRecords): ImportRecords =>
  Object.fromEntries(
    Object.entries(records).map(([name, method]: [string, AnyMethod]) => [
      name,
      (...args: unknown[]) => retryWhileBusy(() => method(...args)),
    ]),
  ) as unknown as ImportRecords

type AnyMethod = (...args: unknown[]) => Promise<unknown>

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
