import { sql } from 'kysely'
import type { Fingerprint } from '#server/core/likeness/fingerprint.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import { inParts } from '#server/storage/sql/packed-rows.ts'
import type { Db } from '#server/storage/sql/tables.ts'

export interface DrawnImage {
  id: number
  fingerprint: Fingerprint
}

/** A row binds six values. */
const ROWS_PER_STATEMENT = 1_000

/** Stores the fingerprints of images that have none yet. */
export const insertFingerprints = async (db: Db, images: readonly DrawnImage[]): Promise<void> => {
  for (const part of inParts(images, ROWS_PER_STATEMENT)) {
    const rows = part.map(({ id, fingerprint }) => {
      const [hash_high = 0, hash_low = 0, ...colors] = fingerprint
      const [colors_top = 0, colors_middle = 0, colors_bottom = 0] = colors
      return { image: id, hash_high, hash_low, colors_top, colors_middle, colors_bottom }
    })
    await db.insertInto('image_fingerprints').values(rows).execute()
  }
}

/** Stores other fingerprints of images. null removes one. */
export const replaceFingerprints = async (
  db: Db,
  images: readonly { id: number; fingerprint: Fingerprint | null }[],
): Promise<void> => {
  if (images.length === 0) return
  const ids = images.map(({ id }) => id)
  await db
    .deleteFrom('image_fingerprints')
    .where(isOneOf(db, 'image', ids))
    .execute()
  await insertFingerprints(
    db,
    images.flatMap(({ id, fingerprint }) => (fingerprint === null ? [] : [{ id, fingerprint }])),
  )
  await dialectOf(db).logReread(db, ids)
}

/** Copies the fingerprints of images for their copies. */
export const copyFingerprints = (db: Db, pairs: readonly (readonly [number, number])[]) =>
  sql`
    INSERT INTO image_fingerprints
      (image, hash_high, hash_low, colors_top, colors_middle, colors_bottom)
    SELECT pair.c0, hash_high, hash_low, colors_top, colors_middle, colors_bottom
    FROM ${dialectOf(db).rows(['integer', 'integer'], pairs)} AS pair
    JOIN image_fingerprints ON image = pair.c1`.execute(db)
