import { sql } from 'kysely'
import { BoundedMap } from '#server/storage/sql/bounded-map.ts'
import type { Column } from '#server/storage/sql/properties/columns.ts'
import type { Db } from '#server/storage/sql/tables.ts'

/**
 * Limit of cached results: ids of views and searches, columns of properties, and counts of days. A million ids take
 * 4 MB.
 */
const MAX_RESULT_BYTES = 128_000_000

/** After more changes, a search is computed again. */
const MAX_CHANGED = 200

/** Revisions whose changes are certainly in the log. */
const MAX_REVISIONS = 900

/**
 * Returns the images that changed between two revisions, exclusive and inclusive. null: too many, or another change
 * that can affect searches.
 */
const changedImages = async (
  db: Db,
  after: number,
  until: number,
): Promise<ReadonlySet<number> | null> => {
  if (until - after > MAX_REVISIONS) return null
  const { rows } = await sql<{ image: number | null }>`
    SELECT DISTINCT image FROM image_changes WHERE revision > ${after} AND revision <= ${until}
    LIMIT ${MAX_CHANGED + 1}`.execute(db)
  const images = rows.map(({ image }) => image)
  if (images.length > MAX_CHANGED || images.includes(null)) return null
  return new Set(images.flatMap((image) => image ?? []))
}

export const revisionOf = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT n FROM library_revision`.execute(db)
  return rows[0]?.n ?? 0
}

type Value = Column

/**
 * Returns a result that is known since the last change of the library, or computes it.
 *
 * @param update - Brings an earlier result up to date. Absent: each change of the library makes it useless.
 */
export type Remember = <Result extends Value>(
  key: string,
  compute: () => Promise<Result>,
  update?: (known: Result, changed: ReadonlySet<number>) => Promise<Result>,
) => Promise<Result>

/** Results of reads, each with the revision of the library that it belongs to. */
export class Results {
  readonly #results = new BoundedMap<string, { revision: number; value: Value }>(
    MAX_RESULT_BYTES,
    ({ value }) => value.byteLength,
  )

  /** @param db - A transaction, which sees one state of the library. */
  rememberIn(db: Db): Remember {
    return async <Result extends Value>(
      key: string,
      compute: () => Promise<Result>,
      update?: (known: Result, changed: ReadonlySet<number>) => Promise<Result>,
    ) => {
      const revision = await revisionOf(db)
      const known = this.#results.get(key) as { revision: number; value: Result } | undefined
      if (known?.revision === revision) return known.value
      // A transaction that began before a change must not use the results after it.
      const changed =
        known !== undefined && update !== undefined && known.revision < revision
          ? await changedImages(db, known.revision, revision)
          : null
      const value =
        known !== undefined && update !== undefined && changed !== null
          ? await update(known.value, changed)
          : await compute()
      if (revision > (this.#results.get(key)?.revision ?? -1))
        this.#results.set(key, { revision, value })
      return value
    }
  }
}
