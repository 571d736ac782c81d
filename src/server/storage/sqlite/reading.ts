import type { ReadCache } from './cache/read-cache.ts'
import type { Db } from './tables.ts'

/** The first argument of a reading unit of work. */
export interface Reading {
  /** A transaction, which sees one state of the library. */
  db: Db
  /** The cache of this thread, which outlives the transaction. */
  cache: ReadCache
  /** Buffers of the result that are moved to the main thread instead of copied. */
  transfer: ArrayBuffer[]
}
