import { type RawBuilder, sql } from 'kysely'
import { BoundedMap } from '#server/storage/sql/bounded-map.ts'
import { IdSet, type Ids, readIds } from '#server/storage/sql/id-set.ts'
import {
  type Column,
  type ColumnName,
  definitionOf,
  readColumn,
  readLoras,
  readTags,
  withoutImages,
  withPairs,
  withPart,
} from '#server/storage/sql/properties/columns.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { Anchors } from '#server/storage/sql/views/anchors.ts'
import { RatioCache } from '#server/storage/sql/views/ratios.ts'
import { ImageTable } from './image-table.ts'

/** Limit of cached results per thread: ids of views, and counts of days. */
const MAX_RESULT_BYTES = 12_000_000

/** Limit of cached sets of matching images per thread: a hundred frequent words in a million images. */
const MAX_SET_BYTES = 12_000_000

/** Limit of cached columns per thread. A million images need a MB for each byte of a value: 38 for all insights. */
const MAX_COLUMN_BYTES = 64_000_000

/** Restricts a search to images whose words are new: those with ids from `first` to `last`. */
export interface IdRange {
  first: number
  last: number
}

/**
 * Cache of one reading thread. The log of changed images determines how long an entry is valid:
 *
 * - A result is valid until any image or board changes.
 * - A set of images that match a search stays valid. Only new images, and images whose metadata was read again, are
 *   searched and added.
 */
export class ReadCache {
  /** Up to this number of matches, reading and sorting their rows is cheaper than reading the table of all images. */
  readonly maxRareMatches: number
  /** The first and the last change in the log of this transaction. */
  #log = { first: 0, last: 0 }
  readonly #table = new ImageTable()
  readonly #results = new BoundedMap<string, Float64Array | Uint32Array>(
    MAX_RESULT_BYTES,
    ({ byteLength }) => byteLength,
  )
  /** Sets with the last change that they contain. */
  readonly #sets = new BoundedMap<string, { set: IdSet; seq: number }>(
    MAX_SET_BYTES,
    ({ set }) => set.byteLength,
  )
  /** Columns with the last change that they contain. */
  readonly #columns = new BoundedMap<
    ColumnName | 'loras' | 'tags',
    { column: Column; seq: number }
  >(MAX_COLUMN_BYTES, ({ column }) => column.byteLength)
  readonly #anchors: Anchors
  /** The ratios of images, and the last change that they contain. */
  #ratios = { of: new RatioCache(), seq: 0 }

  constructor({
    maxRareMatches = 10_000,
    stride,
  }: {
    maxRareMatches?: number
    /** Number of images between two anchors. */
    stride?: number
  } = {}) {
    this.maxRareMatches = maxRareMatches
    this.#anchors = new Anchors(stride)
  }

  /** Updates the cache to the state of a transaction. Must be called first in each transaction. */
  async sync(db: Db): Promise<void> {
    const { rows } = await sql<{ first: number; last: number }>`
      SELECT coalesce((SELECT min(seq) FROM image_changes), 0) AS first,
        coalesce((SELECT max(seq) FROM image_changes), 0) AS last`.execute(db)
    const [log = { first: 0, last: 0 }] = rows
    if (log.last !== this.#log.last) this.#results.clear()
    this.#log = log
  }

  /** Returns the cached result of this key, or computes it with `work`. */
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

  /** The result may still contain deleted images. `select` gets null for all images. */
  async matches(db: Db, key: string, select: (range: IdRange | null) => Ids): Promise<IdSet> {
    const known = this.#sets.get(key)
    if (known === undefined || this.#log.first > known.seq + 1) {
      const set = new IdSet(await readIds(db, select(null)))
      this.#sets.set(key, { set, seq: this.#log.last })
      return set
    }
    const { set, seq } = known
    const range = seq === this.#log.last ? null : await newWordsSince(db, seq)
    if (range !== null) {
      set.removeRange(range.first, range.last)
      set.addAll(await readIds(db, select(range)))
    }
    known.seq = this.#log.last
    return set
  }

  /** Returns the values of all images, also of those in the trash. */
  async column(db: Db, name: ColumnName): Promise<Column> {
    const { canChange = false } = definitionOf(name)
    return this.#upToDate(db, name, canChange, async (known, changed) => {
      for (const id of changed.ids) if (id < (known?.length ?? 0) && known !== null) known[id] = 0
      return withPart(known, await readColumn(db, name, changed.restrict))
    })
  }

  /** Returns pairs of image and LoRA. */
  loras(db: Db): Promise<Uint32Array> {
    return this.#pairs(db, 'loras', readLoras)
  }

  /** Returns pairs of image and tag. Deleted and merged tags are included. */
  tags(db: Db): Promise<Uint32Array> {
    return this.#pairs(db, 'tags', readTags)
  }

  async #pairs(db: Db, name: 'loras' | 'tags', read: typeof readTags): Promise<Uint32Array> {
    const pairs = await this.#upToDate(db, name, name === 'tags', async (known, changed) => {
      const images = new IdSet(changed.ids)
      const others = known && withoutImages(known, (image) => images.has(image))
      return withPairs(others, await read(db, changed.restrict))
    })
    return pairs as Uint32Array
  }

  /** @param update - Reads the values of the changed images, or all values if none are known. */
  async #upToDate(
    db: Db,
    name: ColumnName | 'loras' | 'tags',
    canChange: boolean,
    update: (known: Column | null, changed: ChangedImages) => Promise<Column>,
  ): Promise<Column> {
    const known = this.#columns.get(name)
    if (known?.seq === this.#log.last) return known.column
    let column = known?.column ?? null
    if (known === undefined || this.#log.first > known.seq + 1)
      column = await update(null, allImages)
    else {
      const which = canChange ? sql`image != 0` : sql`is_new = 1`
      const changed: Ids = sql`SELECT DISTINCT abs(image) AS id FROM image_changes
        WHERE seq > ${known.seq} AND ${which}`
      const ids = await readIds(db, changed)
      const restrict = (id: string) => sql<boolean>`${sql.ref(id)} IN (${changed})`
      if (ids.length > 0) column = await update(known.column, { ids, restrict })
    }
    column ??= new Uint32Array()
    this.#columns.set(name, { column, seq: this.#log.last })
    return column
  }

  /** Returns the known positions in views, in the state of this transaction. */
  async anchors(db: Db): Promise<Anchors> {
    await this.#anchors.sync(db, this.#log)
    return this.#anchors
  }

  /** Returns the ratios of images, in the state of this transaction. */
  async ratios(db: Db): Promise<RatioCache> {
    const known = this.#ratios
    const isLogWhole = this.#log.first <= known.seq + 1
    if (!isLogWhole) this.#ratios = { of: new RatioCache(), seq: this.#log.last }
    else if (known.seq !== this.#log.last) {
      const range = await newWordsSince(db, known.seq)
      if (range !== null) known.of.forget(range.first, range.last)
      known.seq = this.#log.last
    }
    return this.#ratios.of
  }

  /** Returns the table of all images, in the state of this transaction. */
  async table(db: Db): Promise<ImageTable> {
    await this.#table.sync(db, this.#log)
    return this.#table
  }

  /** Like `table`, but returns null if it is not in memory. */
  async loadedTable(db: Db): Promise<ImageTable | null> {
    return this.#table.isLoaded ? this.table(db) : null
  }
}

/** The state from which a view is opened. */
export interface Reading {
  /** A transaction, which sees one state of the library. */
  db: Db
  /** The cache of this thread, which outlives the transaction. */
  cache: ReadCache
}

interface ChangedImages {
  ids: Uint32Array
  /** Returns a condition on a column of ids. */
  restrict: (column: string) => RawBuilder<boolean>
}

const allImages: ChangedImages = { ids: new Uint32Array(), restrict: () => sql`TRUE` }

const newWordsSince = async (db: Db, seq: number): Promise<IdRange | null> => {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    SELECT min(image) AS first, max(image) AS last FROM image_changes
    WHERE seq > ${seq} AND is_new = 1`.execute(db)
  const { first = null, last = null } = rows[0] ?? {}
  return first === null || last === null ? null : { first, last }
}
