import type { Import } from '#contract/import.ts'
import { renderTimestamp } from '#server/core/clock.ts'
import type { ActiveImport, ActiveImportRecords } from './active-imports.ts'

/** Imports that an earlier run of the program did not end: each is gone on with, or dismissed. */
export class InterruptedImports {
  readonly #records: ActiveImportRecords
  #all: readonly ActiveImport[] = []

  constructor(records: ActiveImportRecords) {
    this.#records = records
  }

  /** Finds those that are left, before any is begun. */
  async recover(): Promise<void> {
    this.#all = await this.#records.list()
  }

  /** Newest first. */
  list(): Import[] {
    return this.#all.map(toImport)
  }

  /** null: none is called so. */
  get(importId: string): Import | null {
    return this.list().find(({ import_id }) => import_id === importId) ?? null
  }

  /** Its folder is brought in anew, which the records know by themselves. */
  replace(folder: string): void {
    this.#all = this.#all.filter((one) => one.folder !== folder)
  }

  /** It is told of no more, now and after the next start. */
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
