import { boundList } from '#server/storage/sqlite/images/named-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'

/** Returns names of deleted rows whose files may still exist. */
export const listTombstones = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db.selectFrom('tombstones').select('image_name').limit(limit).execute()
  return rows.map(({ image_name }) => image_name)
}

export const forgetTombstones = async (
  db: Db,
  _now: number,
  imageNames: readonly string[],
): Promise<void> => {
  await db.deleteFrom('tombstones').where('image_name', 'in', boundList(imageNames)).execute()
}
