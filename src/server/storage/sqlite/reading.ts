import type { KeptIds } from './kept-ids.ts'
import type { Db } from './tables.ts'

/** What a unit of work that reads is given: a transaction, which sees one state of the library. */
export interface Reading {
  db: Db
  /** What this thread has worked out before, for as long as the library stays as it is. */
  kept: KeptIds
}
