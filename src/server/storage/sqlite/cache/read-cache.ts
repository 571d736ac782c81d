import { sql } from 'kysely'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { Anchors } from './anchors.ts'
import { IdSet, type Ids, readIds } from './id-set.ts'
import { ImageTable } from './image-table.ts'

/** Results of one thread: IDs of views, and counts of days. */
const MAX_RESULT_BYTES = 12_000_000

/** Sets of matching images of one thread: a hundred frequent words in a million images. */
const MAX_SET_BYTES = 12_000_000

/** A search for new images only: those with IDs from `first` to `last`. */
export interface IdRange {
  first: number
  last: number
}

/**
 * What a thread that reads remembers. The log of changed images says how long it is valid:
 * - a result, until any image or board changes;
 * - a set of images that match a search, always: only new images are searched. What an image says never changes.
 */
export class ReadCache {
  /** Up to so many matches, it costs less to read and sort their rows than to read the table of all images. */
  readonly maxRareMatches: number
  #seq = 0
  #firstSeq = 0
  readonly #table = new ImageTable()
  readonly #results = new BoundedMap<Float64Array | Uint32Array>(MAX_RESULT_BYTES)
  readonly #sets = new BoundedMap<IdSet>(MAX_SET_BYTES)
  readonly #seqs = new WeakMap<IdSet, number>()

  readonly #anchors: Anchors

  constructor({
    maxRareMatches = 10_000,
    stride,
  }: {
    maxRareMatches?: number
    /** Images from one anchor to the next. */
    stride?: number
  } = {}) {
    this.maxRareMatches = maxRareMatches
    this.#anchors = new Anchors(stride)
  }

  /** Call it first in each transaction. */
  async sync(db: Db): Promise<void> {
    const { rows } = await sql<{ first: number; last: number }>`
      SELECT coalesce((SELECT min(seq) FROM image_changes), 0) AS first,
        coalesce((SELECT max(seq) FROM image_changes), 0) AS last`.execute(db)
    const { first = 0, last = 0 } = rows[0] ?? {}
    this.#firstSeq = first
    if (last !== this.#seq) this.#results.clear()
    this.#seq = last
  }

  /** The result with this key, or the one that `work` returns. */
  async result<Result extends Float64Array | Uint32Array>(
    key: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const known = this.#results.get(key) as Result | undefined
    if (known !== undefined) return known
    const result = await work()
    this.#results.set(key, result)
    return result
  }

  /**
   * The images that match a search. Images that were deleted since may still be in it.
   *
   * @param select - Selects the matching images, or those of a range.
   */
  async matches(db: Db, key: string, select: (range: IdRange | null) => Ids): Promise<IdSet> {
    const known = this.#sets.get(key)
    const knownSeq = known && this.#seqs.get(known)
    if (known !== undefined && knownSeq !== undefined && this.#firstSeq <= knownSeq + 1) {
      if (knownSeq !== this.#seq) {
        const range = await newImagesSince(db, knownSeq)
        if (range !== null) {
          known.removeRange(range.first, range.last)
          known.addAll(await readIds(db, select(range)))
        }
        this.#seqs.set(known, this.#seq)
      }
      return known
    }
    const set = new IdSet(await readIds(db, select(null)))
    this.#seqs.set(set, this.#seq)
    this.#sets.set(key, set)
    return set
  }

  /** Known places of views, in the state of this transaction. */
  async anchors(db: Db): Promise<Anchors> {
    await this.#anchors.sync(db, { first: this.#firstSeq, last: this.#seq })
    return this.#anchors
  }

  /** All images, in the state of this transaction. */
  async table(db: Db): Promise<ImageTable> {
    await this.#table.sync(db, this.#seq)
    return this.#table
  }

  /** The same if it is in memory, else null. */
  async loadedTable(db: Db): Promise<ImageTable | null> {
    return this.#table.isLoaded ? this.table(db) : null
  }
}

const newImagesSince = async (db: Db, seq: number): Promise<IdRange | null> => {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    SELECT min(image) AS first, max(image) AS last FROM image_changes
    WHERE seq > ${seq} AND is_new = 1`.execute(db)
  const { first = null, last = null } = rows[0] ?? {}
  return first === null || last === null ? null : { first, last }
}

/** A map of a bounded number of bytes. What was used least recently goes first. */
class BoundedMap<Value extends { readonly byteLength: number }> {
  readonly #maxBytes: number
  readonly #values = new Map<string, Value>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    let bytes = 0
    for (const { byteLength } of this.#values.values()) bytes += byteLength
    for (const [oldest, { byteLength }] of this.#values) {
      if (bytes <= this.#maxBytes || oldest === key) return
      this.#values.delete(oldest)
      bytes -= byteLength
    }
  }

  clear(): void {
    this.#values.clear()
  }
}
