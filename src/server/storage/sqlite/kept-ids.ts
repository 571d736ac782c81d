import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** 8 bytes each: 32 MB for a thread. */
const MAX_IDS = 4_000_000

/**
 * Ids of views that no index holds in order, such as a search: worked out once, then any page of them
 * costs the same. Each connection keeps its own and drops all of them when another has written.
 */
export class KeptIds {
  #dataVersion: number | null = null
  #idCount = 0
  readonly #ids = new Map<string, Float64Array>()

  /** The ids kept under a key, else those that `work` returns. `db` is the transaction that reads them. */
  async of(db: Db, key: string, work: () => Promise<readonly number[]>): Promise<Float64Array> {
    await this.#dropStale(db)
    const ids = this.#ids.get(key) ?? Float64Array.from(await work())
    this.#keep(key, ids)
    return ids
  }

  async #dropStale(db: Db): Promise<void> {
    const { rows } = await sql<{ data_version: number }>`PRAGMA data_version`.execute(db)
    const dataVersion = rows[0]?.data_version ?? null
    if (dataVersion === this.#dataVersion) return
    this.#dataVersion = dataVersion
    this.#ids.clear()
    this.#idCount = 0
  }

  /** As the one used last. Those that were used longest ago make room. */
  #keep(key: string, ids: Float64Array): void {
    this.#drop(key)
    this.#ids.set(key, ids)
    this.#idCount += ids.length
    for (const oldest of this.#ids.keys()) {
      if (this.#idCount <= MAX_IDS || oldest === key) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#idCount -= this.#ids.get(key)?.length ?? 0
    this.#ids.delete(key)
  }
}
