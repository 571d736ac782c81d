import { sql } from 'kysely'
import type { Db } from '#server/storage/sqlite/tables.ts'

/** Which of these bytes (SHA-256, hexadecimal) an image has that a gallery shows, or that is in the trash. */
export const hashesHere = async (
  db: Db,
  contentHashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (contentHashes.length === 0) return new Set()
  const hashes = contentHashes.map((hash) => Buffer.from(hash, 'hex'))
  const having = db
    .selectFrom('images')
    .select('content_hash')
    .where(
      sql`substr(content_hash, 1, 8)`,
      'in',
      hashes.map((hash) => hash.subarray(0, 8)),
    )
  // One query for each of two partial indexes.
  const shown = await having
    .where('deleted_at', 'is', null)
    .where('is_intermediate', '=', sql.lit(0))
    .execute()
  const trashed = await having.where('deleted_at', 'is not', null).execute()
  return new Set([...shown, ...trashed].map((row) => Buffer.from(row.content_hash).toString('hex')))
}

/** The same of one. */
export const hasBytes = async (db: Db, contentHash: string): Promise<boolean> =>
  (await hashesHere(db, [contentHash])).has(contentHash)
