import { sql } from 'kysely'
import type { RecordedFile } from '#server/core/record-ports.ts'
import { hexOf } from '#server/storage/sqlite/codes.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'

/** Returns names greater than `after` of all images, including the trash, sorted by name. */
export const allNames = async (db: Db, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('images')
    .select('image_name')
    .$if(after !== null, (query) => query.where('image_name', '>', after))
    .orderBy('image_name')
    .limit(limit)
    .execute()
  return rows.map(({ image_name }) => image_name)
}

/** Returns those of the names that no image has. */
export const unknownNames = async (db: Db, imageNames: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    SELECT value AS name FROM json_each(${JSON.stringify(imageNames)})
    WHERE NOT EXISTS (SELECT 1 FROM images WHERE image_name = value)`.execute(db)
  return rows.map(({ name }) => name)
}

/** Returns the number of images, including the trash. */
export const countImages = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    SELECT (SELECT coalesce(sum(n), 0) FROM image_counts) +
      (SELECT count(*) FROM images WHERE deleted_at IS NOT NULL) AS n`.execute(db)
  return rows[0]?.n ?? 0
}

/** Returns the time of the first migration, in milliseconds since 1970. */
export const madeAt = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ first: string }>`
    SELECT min(timestamp) AS first FROM kysely_migration`.execute(db)
  return Date.parse(rows[0]?.first ?? '')
}

/** Returns the files that records expect, with names greater than `after`, sorted by name. */
export const recordedFiles = async (
  db: Db,
  after: string | null,
  limit: number,
): Promise<RecordedFile[]> => {
  const rows = await db
    .selectFrom('images')
    .select(['image_name', 'file_size', 'content_hash'])
    .$if(after !== null, (query) => query.where('image_name', '>', after))
    .orderBy('image_name')
    .limit(limit)
    .execute()
  return rows.map(({ image_name, file_size, content_hash }) => ({
    imageName: image_name,
    bytes: file_size,
    contentHash: hexOf(content_hash),
  }))
}

/** Returns the stored times by name, in milliseconds since 1970. */
export const getTimes = async (db: Db): Promise<Record<string, number>> => {
  const rows = await db.selectFrom('upkeep_times').selectAll().execute()
  return Object.fromEntries(rows.map(({ name, at }) => [name, at]))
}

/** Replaces all stored times. */
export const setTimes = async (
  db: Db,
  _now: number,
  times: Readonly<Record<string, number>>,
): Promise<void> => {
  await db.deleteFrom('upkeep_times').execute()
  const rows = Object.entries(times).map(([name, at]) => ({ name, at }))
  if (rows.length > 0) await db.insertInto('upkeep_times').values(rows).execute()
}
