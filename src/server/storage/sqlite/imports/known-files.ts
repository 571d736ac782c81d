import { sql } from 'kysely'
import type { FileMark } from '#server/core/imports/import-records.ts'
import { hexOf } from '#server/storage/sqlite/codes.ts'
import { boundList } from '#server/storage/sqlite/images/named-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import type { Read } from '#server/storage/sqlite/unit-types.ts'
import { hashesOfUnchanged } from './imported-files.ts'

type FileToCheck = FileMark & { uploadId: string | null; imageName: string | null }

export const areKnown: Read<'imports.areKnown'> = async (db, files) => {
  const recorded = await findRecorded(db, files)
  const hashes = await hashesOfUnchanged(db, files)
  const unchanged = hashes.filter((hash) => hash !== null)
  const here = await findKnownHashes(db, unchanged)
  return files.map(({ uploadId, imageName }, at) => {
    if (uploadId !== null) return recorded.has(uploadId) || recorded.has(imageName ?? '')
    const hash = hashes[at] ?? null
    return hash !== null && here.has(hash)
  })
}

/** Returns those of the upload ids and names that belong to an image, including the trash. */
const findRecorded = async (
  db: Db,
  files: readonly FileToCheck[],
): Promise<ReadonlySet<string>> => {
  const uploadIds = files.flatMap(({ uploadId }) => uploadId ?? [])
  if (uploadIds.length === 0) return new Set()
  const names = files.flatMap(({ imageName }) => imageName ?? [])
  const { rows } = await sql<{ known: string }>`
    SELECT upload_id AS known FROM images WHERE upload_id IN ${boundList(uploadIds)}
    UNION ALL SELECT image_name FROM images WHERE image_name IN ${boundList(names)}`.execute(db)
  return new Set(rows.map(({ known }) => known))
}

export const takenNames: Read<'imports.takenNames'> = async (db, imageNames) => {
  const namesIn = (table: 'images' | 'tombstones') =>
    db.selectFrom(table).select('image_name').where('image_name', 'in', boundList(imageNames))
  const rows = await namesIn('images').unionAll(namesIn('tombstones')).execute()
  return rows.map(({ image_name }) => image_name)
}

/**
 * Returns those of the hashes (SHA-256, hexadecimal) that belong to an image. Intermediates count only in the trash.
 *
 * Each part names its partial index, which holds the first eight bytes. Given two hashes or more, SQLite would
 * otherwise read every image.
 */
export const findKnownHashes = async (
  db: Db,
  contentHashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (contentHashes.length === 0) return new Set()
  const firstBytes = JSON.stringify(contentHashes.map((hash) => hash.slice(0, 16)))
  const isGiven = sql<boolean>`substr(content_hash, 1, 8) IN (
    SELECT unhex(value) FROM json_each(${firstBytes}))`
  const { rows } = await sql<{ content_hash: Uint8Array }>`
    SELECT content_hash FROM images INDEXED BY same_bytes
    WHERE ${isGiven} AND deleted_at IS NULL AND is_intermediate = 0
    UNION ALL SELECT content_hash FROM images INDEXED BY trashed_bytes
    WHERE ${isGiven} AND deleted_at IS NOT NULL`.execute(db)
  return new Set(rows.map((row) => hexOf(row.content_hash)))
}

export const hasBytes: Read<'imports.hasBytes'> = async (db, contentHash) =>
  (await findKnownHashes(db, [contentHash])).has(contentHash)
