import type { Import } from '#contract/import.ts'
import { renderTimestamp } from '#server/core/clock.ts'
import type { ActiveImport, ActiveImportRecords } from './active-imports.ts'

/** Imports that were active when the program last stopped. Each is resumed or dismissed. */
export class InterruptedImports {
  readonly #records: ActiveImportRecords
  #all: readonly ActiveImport[] = []

  constructor(records: ActiveImportRecords) {
    this.#records = records
  }

  /** Loads the interrupted imports. Call it before any import starts. */
  async recover(): Promise<void> {
    this.#all = await this.#records.list()
  }

  /** Newest first. */
  list(): Import[] {
    return this.#all.map(toImport)
  }

  get(importId: string): Import | null {
    return this.list().find(({ import_id }) => import_id === importId) ?? null
  }

  /** Removes the import of a folder that is imported again. The records replace it themselves. */
  replace(folder: string): void {
    this.#all = this.#all.filter((one) => one.folder !== folder)
  }

  /** Removes an import from the list, also for later starts. */
  async dismiss(importId: string): Promise<void> {
    await this.#records.remove(importId)
    this.#all = this.#all.filter(({ import_id }) => import_id !== importId)
  }
}

const toImport = ({ startedAt, ...one }: ActiveImport): Import => ({
  ...one,
  dry_run: false,
  state: 'interrupted',
  error: null,
  refusals: [],
  images_per_second: null,
  seconds_left: null,
  started_at: renderTimestamp(startedAt),
  ended_at: null,
})
