import { sql } from 'kysely'
import { hexOf } from '#server/storage/sql/codes.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Read, Write } from '#server/storage/sql/unit-types.ts'

const selectAfter = (db: Db, after: string | null, limit: number) =>
  db
    .selectFrom('images')
    .$if(after !== null, (query) => query.where('image_name', '>', after))
    .orderBy('image_name')
    .limit(limit)

export const allNames: Read<'upkeep.allNames'> = async (db, after, limit) => {
  const rows = await selectAfter(db, after, limit).select('image_name').execute()
  return rows.map(({ image_name }) => image_name)
}

export const unknownNames: Read<'upkeep.unknownNames'> = async (db, imageNames) => {
  const { rows } = await sql<{ name: string }>`
    SELECT c0 AS name FROM ${dialectOf(db).rows(
      ['text'],
      imageNames.map((name) => [name]),
    )} AS given
    WHERE NOT EXISTS (SELECT 1 FROM images WHERE image_name = c0)`.execute(db)
  return rows.map(({ name }) => name)
}

export const countImages: Read<'upkeep.countImages'> = async (db) => {
  const { rows } = await sql<{ n: number }>`
    SELECT (SELECT coalesce(sum(n), 0) FROM image_counts) +
      (SELECT count(*) FROM images WHERE deleted_at IS NOT NULL) AS n`.execute(db)
  return rows[0]?.n ?? 0
}

export const madeAt: Read<'upkeep.madeAt'> = async (db) => {
  const { rows } = await sql<{ first: string }>`
    SELECT min(timestamp) AS first FROM kysely_migration`.execute(db)
  return Date.parse(rows[0]?.first ?? '')
}

export const recordedFiles: Read<'upkeep.files'> = async (db, after, limit) => {
  const rows = await selectAfter(db, after, limit)
    .select(['image_name', 'file_size', 'content_hash'])
    .execute()
  return rows.map(({ image_name, file_size, content_hash }) => ({
    imageName: image_name,
    bytes: file_size,
    contentHash: hexOf(content_hash),
  }))
}

export const getTimes: Read<'upkeep.getTimes'> = async (db) => {
  const rows = await db.selectFrom('upkeep_times').selectAll().execute()
  return Object.fromEntries(rows.map(({ name, at }) => [name, at]))
}

export const setTimes: Write<'upkeep.setTimes'> = async (db, _now, times) => {
  await db.deleteFrom('upkeep_times').execute()
  const rows = Object.entries(times).map(([name, at]) => ({ name, at }))
  if (rows.length > 0) await db.insertInto('upkeep_times').values(rows).execute()
}

export const listTombstones: Read<'upkeep.tombstones'> = async (db, limit) => {
  const rows = await db.selectFrom('tombstones').select('image_name').limit(limit).execute()
  return rows.map(({ image_name }) => image_name)
}

export const forgetTombstones: Write<'upkeep.forgetTombstones'> = async (db, _now, imageNames) => {
  await db
    .deleteFrom('tombstones')
    .where(isOneOf(db, 'image_name', imageNames))
    .execute()
}
