import type { ReadCache } from './cache/read-cache.ts'
import type { Db } from './tables.ts'

/** The arguments of a unit of work that reads. */
export interface Reading {
  /** A transaction, which sees one state of the library. */
  db: Db
  /** What this thread remembers from earlier transactions. */
  cache: ReadCache
  /** Buffers of the result that are moved to the main thread, not copied. */
  transfer: ArrayBuffer[]
}
