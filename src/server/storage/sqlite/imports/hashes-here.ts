import { sql } from 'kysely'
import type { Db } from '#server/storage/sqlite/tables.ts'

/** A stored SHA-256. The indexes by content hold its first eight bytes. */
interface HashRow {
  content_hash: Uint8Array
}

/**
 * The given hashes (SHA-256, hexadecimal) that an image has, in the trash or not. Intermediate images count
 * only in the trash.
 *
 * Each query names its partial index. Given two hashes or more, SQLite would otherwise read every image.
 */
export const hashesHere = async (
  db: Db,
  contentHashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (contentHashes.length === 0) return new Set()
  const firstBytes = JSON.stringify(contentHashes.map((hash) => hash.slice(0, 16)))
  const isGiven = sql<boolean>`substr(content_hash, 1, 8) IN (
    SELECT unhex(value) FROM json_each(${firstBytes}))`
  const { rows: shown } = await sql<HashRow>`
    SELECT content_hash FROM images INDEXED BY same_bytes
    WHERE ${isGiven} AND deleted_at IS NULL AND is_intermediate = 0`.execute(db)
  const { rows: trashed } = await sql<HashRow>`
    SELECT content_hash FROM images INDEXED BY trashed_bytes
    WHERE ${isGiven} AND deleted_at IS NOT NULL`.execute(db)
  return new Set([...shown, ...trashed].map((row) => Buffer.from(row.content_hash).toString('hex')))
}

/** Whether an image has these bytes (see `hashesHere`). */
export const hasBytes = async (db: Db, contentHash: string): Promise<boolean> =>
  (await hashesHere(db, [contentHash])).has(contentHash)
