import { type Nullable, sql } from 'kysely'
import type { ImageOrder } from '#contract/image.ts'
import { BoundedMap } from '#server/storage/sql/bounded-map.ts'
import { ALL_KINDS, IMAGE_KINDS, VIDEO_KINDS } from '#server/storage/sql/codes.ts'
import { forEachNumber, type IdSet, joinIds, readIds } from '#server/storage/sql/id-set.ts'
import { readColumn, withPart } from '#server/storage/sql/properties/columns.ts'
import type { Db, Flag, ImagesTable, Kind } from '#server/storage/sql/tables.ts'
import { isPropertyOrder, type Order, type PropertyOrder } from '#server/storage/sql/views/order.ts'
import { everything, type Selection } from '#server/storage/sql/views/selection.ts'
import { walkQuery } from '#server/storage/sql/views/walk-index.ts'
import { withInserted } from './insert-in-order.ts'

const LIVE = 1
const KIND_SHIFT = 1
const STARRED = 8
const CATEGORY_SHIFT = 4

/** Up to this number, new images are inserted one by one. With more, their orders are read again on next use. */
const MAX_INSERTED = 100

/** Up to this number, changed images are applied one by one. With more, the table is read again. */
const MAX_APPLIED = 50_000

/** Maximum number of orders in memory, 4 bytes per image each. */
const MAX_ORDERS = 2

/** Ids are below this number. A product with values below 2^21 is exact. */
const ID_RANGE = 2 ** 32

/** The columns that determine whether an image is in a view. They are null for a deleted row. */
type ImageRow = { image: number; is_new: Flag } & Nullable<
  Pick<ImagesTable, 'board' | 'category' | 'kind' | 'starred' | 'deleted_at'>
>

/**
 * In-memory copy of the columns that views filter by, and of their orders: 5 bytes per image, and 4 for each order.
 * Scanning a million images takes milliseconds. The log of changes keeps it up to date.
 */
export class ImageTable {
  #seq = -1
  #boards = new Uint32Array(0)
  #flags = new Uint8Array(0)
  /** Buffer of `idsOf` and `unorderedIdsOf`. Reusing it for all calls produces less garbage. */
  #ids = new Uint32Array(0)
  /** Ids in ascending order of value and id. */
  readonly #orders = new BoundedMap<ImageOrder, Uint32Array>(MAX_ORDERS)

  get isLoaded(): boolean {
    return this.#seq >= 0
  }

  /** Updates the table to the state of a transaction. */
  async sync(db: Db, log: { first: number; last: number }): Promise<void> {
    if (this.#seq === log.last) return
    const isLogWhole = log.first <= this.#seq + 1 && log.last - this.#seq <= MAX_APPLIED
    if (this.isLoaded && isLogWhole) await this.#apply(db)
    else await this.#load(db)
    this.#seq = log.last
  }

  /** Returns the ids of a view in its order, restricted to the intersection of `found`. */
  async idsOf(
    db: Db,
    selection: Omit<Selection, 'origin' | 'durations'>,
    order: Order,
    found: readonly IdSet[],
  ): Promise<Uint32Array> {
    const all = await this.#orderOf(db, order.by)
    const isChosen = this.#isIn(selection)
    const isFound = isInAll(found)
    const { dir, starredFirst } = order
    const flags = this.#flags
    if (this.#ids.length < all.length) this.#ids = new Uint32Array(all.length)
    const ids = this.#ids
    // Starred images fill the array from its start, the others from its end backwards.
    let starredCount = 0
    let restFrom = all.length
    for (let index = 0; index < all.length; index += 1) {
      const id = all[dir === 'ASC' ? index : all.length - 1 - index] ?? 0
      if (!isChosen(id) || !isFound(id)) continue
      if (starredFirst && ((flags[id] ?? 0) & STARRED) !== 0) ids[starredCount++] = id
      else ids[--restFrom] = id
    }
    const result = new Uint32Array(starredCount + all.length - restFrom)
    result.set(ids.subarray(0, starredCount))
    result.set(ids.subarray(restFrom, all.length).reverse(), starredCount)
    return result
  }

  /** Returns the ids of a view in any order. */
  unorderedIdsOf(selection: Omit<Selection, 'origin' | 'durations'>): Uint32Array {
    const isChosen = this.#isIn(selection)
    const { length } = this.#flags
    if (this.#ids.length < length) this.#ids = new Uint32Array(length)
    const ids = this.#ids
    let count = 0
    for (let id = 0; id < length; id += 1) if (isChosen(id)) ids[count++] = id
    return ids.slice(0, count)
  }

  idsOn(boards: readonly number[]): Uint32Array {
    const wanted = new Set(boards)
    const ids = new Uint32Array(this.#flags.length)
    let count = 0
    for (let id = 0; id < this.#flags.length; id += 1)
      if (((this.#flags[id] ?? 0) & LIVE) !== 0 && wanted.has(this.#boards[id] ?? 0))
        ids[count++] = id
    return ids.slice(0, count)
  }

  #isIn({
    board,
    kinds,
    categories,
    starred,
  }: Omit<Selection, 'origin' | 'durations'>): (id: number) => boolean {
    const mask = LIVE | (starred === null ? 0 : STARRED)
    const wanted = LIVE | (starred === 1 ? STARRED : 0)
    const kindBits = kinds.reduce<number>((bits, kind) => bits | (1 << kind), 0)
    const categoryBits = categories?.reduce((bits, category) => bits | (1 << category), 0)
    const [allFlags, boards] = [this.#flags, this.#boards]
    return (id) => {
      const flags = allFlags[id] ?? 0
      if ((flags & mask) !== wanted) return false
      if (((kindBits >>> ((flags >>> KIND_SHIFT) & 3)) & 1) === 0) return false
      if (board !== null && boards[id] !== board) return false
      return categoryBits === undefined || ((categoryBits >>> (flags >>> CATEGORY_SHIFT)) & 1) === 1
    }
  }

  async #load(db: Db): Promise<void> {
    const { rows: groups } = await sql<{ board: number; kind: Kind; packed: string }>`
      SELECT board, kind, group_concat(id * 8 + category) AS packed
      FROM images INDEXED BY board_created
      WHERE deleted_at IS NULL AND kind IN (${sql.join(ALL_KINDS)})
      GROUP BY kind, board`.execute(db)
    const { rows: ends } = await sql<{ last: number | null }>`
      SELECT max(id) AS last FROM images`.execute(db)
    this.#orders.clear()
    this.#boards = new Uint32Array(0)
    this.#flags = new Uint8Array(0)
    this.#grow(ends[0]?.last ?? 0)
    for (const { board, kind, packed } of groups)
      forEachNumber(packed, (value) => {
        const id = Math.floor(value / 8)
        this.#boards[id] = board
        this.#flags[id] = LIVE | (kind << KIND_SHIFT) | ((value % 8) << CATEGORY_SHIFT)
      })
    const starred = await readIds(
      db,
      sql`SELECT id FROM images INDEXED BY all_starred
        WHERE deleted_at IS NULL AND kind IN (${sql.join(ALL_KINDS)}) AND starred = 1`,
    )
    for (const id of starred) this.#flags[id] = (this.#flags[id] ?? 0) | STARRED
  }

  #grow(last: number): void {
    if (last < this.#flags.length) return
    const size = Math.ceil((last + 1) * 1.05)
    const boards = new Uint32Array(size)
    const flags = new Uint8Array(size)
    boards.set(this.#boards)
    flags.set(this.#flags)
    this.#boards = boards
    this.#flags = flags
  }

  async #apply(db: Db): Promise<void> {
    const { rows } = await sql<ImageRow>`
      SELECT changed.image, is_new, board, category, kind, starred, deleted_at
      FROM (SELECT abs(image) AS image, max(is_new) AS is_new FROM image_changes
        WHERE seq > ${this.#seq} AND image != 0 GROUP BY abs(image)) AS changed
      LEFT JOIN images ON images.id = changed.image`.execute(db)
    const joined: number[] = []
    const stayed: number[] = []
    let areRead = false
    for (const row of rows) {
      this.#grow(row.image)
      const isLive = row.board !== null && row.deleted_at === null
      const wasLive = ((this.#flags[row.image] ?? 0) & LIVE) !== 0
      if (isLive && !wasLive) joined.push(row.image)
      if (isLive && wasLive) stayed.push(row.image)
      if (isLive && wasLive && row.is_new === 1) areRead = true
      this.#boards[row.image] = row.board ?? 0
      this.#flags[row.image] = isLive ? flagsOf(row) : 0
    }
    // Metadata that was read again can have other values.
    if (areRead)
      for (const [by] of this.#orders.entries()) if (isPropertyOrder(by)) this.#orders.delete(by)
    if (joined.length > MAX_INSERTED) this.#orders.clear()
    else if (joined.length > 0) await this.#insert(db, joined)
    // Only the rating of an image in the table can change.
    const rated = this.#orders.get('rating')
    if (rated === undefined || stayed.length === 0) return
    if (stayed.length > MAX_INSERTED) this.#orders.delete('rating')
    else this.#orders.set('rating', await this.#withMoved(db, 'rating', rated, stayed))
  }

  /** Inserts images into all orders. They may have had other positions before. */
  async #insert(db: Db, joined: readonly number[]): Promise<void> {
    for (const [by, ids] of this.#orders.entries())
      this.#orders.set(by, await this.#withMoved(db, by, ids, joined))
  }

  #withMoved(
    db: Db,
    by: ImageOrder,
    ids: Uint32Array,
    images: readonly number[],
  ): Promise<Uint32Array> {
    const moved = new Set(images)
    const flags = this.#flags
    // An order keeps the ids of deleted images until now. With their rows, their positions are lost.
    const isOther = (id: number) => ((flags[id] ?? 0) & LIVE) !== 0 && !moved.has(id)
    return withInserted(db, ascending(by), ids.filter(isOther), images)
  }

  /** Returns the ids of all images in ascending order of a property. Images without it come first. */
  async #sortedBy(db: Db, by: PropertyOrder): Promise<Uint32Array> {
    const column = withPart(null, await readColumn(db, by))
    const keys = new Float64Array(this.#flags.length)
    let count = 0
    // Numbers are sorted ten times as fast as ids with a comparison.
    for (let id = 0; id < this.#flags.length; id += 1)
      if (((this.#flags[id] ?? 0) & LIVE) !== 0) keys[count++] = (column[id] ?? 0) * ID_RANGE + id
    return Uint32Array.from(keys.subarray(0, count).sort(), (key) => key % ID_RANGE)
  }

  async #orderOf(db: Db, by: ImageOrder): Promise<Uint32Array> {
    const ids =
      this.#orders.get(by) ??
      (isPropertyOrder(by) ? await this.#sortedBy(db, by) : await readOrder(db, by))
    this.#orders.set(by, ids)
    return ids
  }
}

/** Called for each of a million images. Creating closures per image would take most of the time. */
const isInAll = (sets: readonly IdSet[]): ((id: number) => boolean) => {
  const [first, ...others] = sets
  if (first === undefined) return () => true
  if (others.length === 0) return (id) => first.has(id)
  const isInOthers = isInAll(others)
  return (id) => first.has(id) && isInOthers(id)
}

const flagsOf = ({ category, kind, starred }: ImageRow): number =>
  LIVE |
  ((kind ?? 0) << KIND_SHIFT) |
  (starred === 1 ? STARRED : 0) |
  ((category ?? 0) << CATEGORY_SHIFT)

const ascending = (by: ImageOrder): Order => ({ by, starredFirst: false, dir: 'ASC' })

const readOrder = async (db: Db, by: Exclude<ImageOrder, PropertyOrder>): Promise<Uint32Array> => {
  if (by !== 'duration') return readKinds(db, by, ALL_KINDS)
  return joinIds([
    await readKinds(db, 'created_at', IMAGE_KINDS),
    await readKinds(db, 'duration', VIDEO_KINDS),
  ])
}

const readKinds = (
  db: Db,
  by: Exclude<ImageOrder, PropertyOrder>,
  kinds: readonly Kind[],
): Promise<Uint32Array> => {
  const stars: readonly (Flag | null)[] = by === 'created_at' ? [null] : [0, 1]
  const ranges = kinds.flatMap((kind) => stars.map((starred) => ({ kind, starred })))
  const walk = { ...ascending(by), isBackwards: false }
  return readIds(
    db,
    walkQuery<{ id: number }>(db, { selection: everything, ranges, walk, limit: -1 }, sql`id`),
  )
}
