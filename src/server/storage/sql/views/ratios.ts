import { sql } from 'kysely'
import { MAX_RATIO, MIN_RATIO, RATIO_UNIT } from '#contract/image-ratio.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import { filterIds, forEachNumber } from '#server/storage/sql/id-set.ts'
import type { Db } from '#server/storage/sql/tables.ts'

/** Up to this number, unknown images are read by their ids. With more, all images are read. */
const MAX_LISTED = 5_000

/** A packed number has the id above this. */
const SHIFT = 256

/** As `ratioOf` in the contract, for the rows of `images`. */
const ratio = sql`CASE
  WHEN width * ${sql.lit(RATIO_UNIT)} >= ${sql.lit(MAX_RATIO)} * height THEN ${sql.lit(MAX_RATIO)}
  WHEN width * ${sql.lit(RATIO_UNIT)} <= ${sql.lit(MIN_RATIO)} * height THEN ${sql.lit(MIN_RATIO)}
  ELSE (width * ${sql.lit(RATIO_UNIT)} + height / 2) / height END`

/**
 * The ratios of images by id, one byte each, because the ratio of an image never changes. Reading them from the rows
 * in the order of a view would take seconds for a million images.
 */
export class RatioCache {
  #ratios = new Uint8Array(0)

  /** Returns the ratios of images, in the order of the ids. */
  async of(db: Db, ids: Uint32Array): Promise<Uint8Array> {
    const unknown = filterIds(ids, (id) => (this.#ratios[id] ?? 0) === 0)
    if (unknown.length > 0) await this.#read(db, unknown)
    const ratios = new Uint8Array(ids.length)
    for (let at = 0; at < ids.length; at += 1) ratios[at] = this.#ratios[ids[at] ?? 0] ?? 0
    return ratios
  }

  /** Drops the images with these ids. SQLite gives the id of a deleted image to a new one. */
  forget(first: number, last: number): void {
    this.#ratios.fill(0, first, last + 1)
  }

  async #read(db: Db, unknown: Uint32Array): Promise<void> {
    const where =
      unknown.length > MAX_LISTED ? sql`` : sql`WHERE ${isOneOf(db, 'id', [...unknown])}`
    const { rows } = await sql<{ packed: string | null }>`
      SELECT ${dialectOf(db).joined('packed')} AS packed
      FROM (SELECT CAST(id AS bigint) * ${sql.lit(SHIFT)} + ${ratio} AS packed FROM images
        ${where}) AS read`.execute(db)
    this.#grow(unknown)
    forEachNumber(rows[0]?.packed ?? '', (packed) => {
      const id = Math.floor(packed / SHIFT)
      if (id >= this.#ratios.length) return
      this.#ratios[id] = packed % SHIFT
    })
  }

  #grow(ids: Uint32Array): void {
    let last = 0
    for (let at = 0; at < ids.length; at += 1) last = Math.max(last, ids[at] ?? 0)
    if (last < this.#ratios.length) return
    const grown = new Uint8Array(Math.ceil((last + 1) * 1.05))
    grown.set(this.#ratios)
    this.#ratios = grown
  }
}
