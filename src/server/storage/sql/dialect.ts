import type { RawBuilder } from 'kysely'
import type { Db, SearchText } from './tables.ts'

/** SQL that SQLite and PostgreSQL write differently. All other queries of the units of work are the same. */
export interface SqlDialect {
  /** A condition: the column is one of the values, of which there may be any number. */
  isOneOf(column: string, values: readonly (string | number)[]): RawBuilder<boolean>
  /** A condition: the bytes are one of those that are given as hexadecimal texts. */
  areBytesIn(bytes: RawBuilder<unknown>, hexadecimal: readonly string[]): RawBuilder<boolean>
  /** Binds rows as a table with the columns `c0`, `c1`, ... and `at`, their order. */
  rows(types: readonly ColumnType[], rows: readonly (readonly unknown[])[]): RawBuilder<unknown>
  /** Tells SQLite which index to use. PostgreSQL chooses by its statistics. */
  indexedBy(index: string): RawBuilder<unknown>
  /** A column that SQLite must not look up in an index. */
  unindexed<T>(column: string): RawBuilder<T>
  /** A text column, to be sorted without regard to the case of ASCII letters. */
  ignoringCase(column: string): RawBuilder<string>
  /** Joins queries of which only the first rows are read, in an order that each query has by its index. */
  union(
    queries: readonly RawBuilder<unknown>[],
    rows: { order: RawBuilder<unknown>; limit: number },
    offset: number,
  ): RawBuilder<unknown>
  /** Joins a column of all rows to a JSON array. */
  jsonArray(column: string): RawBuilder<string>
  /** Converts a text to its bytes in UTF-8. */
  bytesOfText(text: RawBuilder<unknown>): RawBuilder<Uint8Array>
  /** A JSON object of `workflow` and `graph`. */
  workflowJson: RawBuilder<string>
  /** The column `normal` of `image_metadata` with an empty `raw`. */
  withoutRaw: RawBuilder<string | null>
  /** The prompt in the columns `normal` and `invokeai` of `image_metadata`. */
  promptText: RawBuilder<string | null>
  /** The names in `raw` of the column `normal`, as a JSON array. */
  rawNames: RawBuilder<string>
  /** Joins the numbers of a column of all rows by commas. */
  joined(column: string): RawBuilder<string | null>
  /** Joins the ids of all rows: as a text with commas, or four bytes each, the most significant one first. */
  packedIds(column: string): RawBuilder<string | Uint8Array | null>
  /** Adds the words of images to the search index. Deleting an image removes its words. */
  indexImages(db: Db, words: readonly ({ id: number } & SearchText)[]): Promise<void>
  /** Removes the words of images from the search index, before other words of them are added. */
  unindexImages(db: Db, ids: readonly number[]): Promise<void>
  /** Logs that the metadata of images changed, so that readers search them again. */
  logReread(db: Db, ids: readonly number[]): Promise<void>
  /** A member of `raw` of the column `normal`, as JSON. */
  rawMember(name: string): RawBuilder<string | null>
  /** Adds the name of a board to the search index, in place of an earlier one. null removes it. */
  indexBoard(db: Db, board: number, boardName: string | null): Promise<void>
  /** Removes all words of images and names of boards. */
  clearSearch(db: Db): Promise<void>
  claims: QueueClaims
}

/** The claims of processes on the items that they run. SQLite has none, because its only process runs all items. */
export interface QueueClaims {
  /** A condition: the processors are not paused. */
  mayStart: RawBuilder<boolean>
  /** The end of the query of the next item, so that no other process takes it too. */
  lockNext: RawBuilder<unknown>
  add(db: Db, itemId: number, leaseMs: number): Promise<void>
  /** Extends claims. Returns the items that still run. */
  renew(db: Db, itemIds: readonly number[], leaseMs: number): Promise<number[]>
  /** Removes the claim of an ended item. Returns false if it is gone, because its lease ran out. */
  remove(db: Db, itemId: number): Promise<boolean>
  /** Removes claims whose lease ran out. Returns the running items without a claim. */
  expire(db: Db): Promise<number[]>
}

export type ColumnType = 'integer' | 'text'

/** The adapter of a connection of this server has the dialect. */
export interface AdapterWithDialect {
  readonly sqlDialect: SqlDialect
}

export const dialectOf = (db: Db): SqlDialect =>
  (db.getExecutor().adapter as unknown as AdapterWithDialect).sqlDialect

/** A condition: the column is one of the values, of which there may be any number. */
export const isOneOf = (db: Db, column: string, values: readonly (string | number)[]) =>
  dialectOf(db).isOneOf(column, values)
