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
  const here = await findKnownHashes(
    db,
    hashes.filter((hash) => hash !== null),
  )
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
  const byId = await db
    .selectFrom('images')
    .select('upload_id')
    .where('upload_id', 'in', boundList(uploadIds))
    .execute()
  const byName = await db
    .selectFrom('images')
    .select('image_name')
    .where('image_name', 'in', boundList(names))
    .execute()
  return new Set([
    ...byId.map((row) => row.upload_id ?? ''),
    ...byName.map((row) => row.image_name),
  ])
}

export const takenNames: Read<'imports.takenNames'> = async (db, imageNames) => {
  const images = await db
    .selectFrom('images')
    .select('image_name')
    .where('image_name', 'in', boundList(imageNames))
    .execute()
  const deleted = await db
    .selectFrom('tombstones')
    .select('image_name')
    .where('image_name', 'in', boundList(imageNames))
    .execute()
  return [...images, ...deleted].map(({ image_name }) => image_name)
}

/** A stored SHA-256. The indexes by content hold its first eight bytes. */
interface HashRow {
  content_hash: Uint8Array
}

/**
 * Returns those of the hashes (SHA-256, hexadecimal) that belong to an image, including the trash. Intermediate
 * images count only in the trash.
 *
 * Each query names its partial index. Given two hashes or more, SQLite would otherwise read every image.
 */
export const findKnownHashes = async (
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
  return new Set([...shown, ...trashed].map((row) => hexOf(row.content_hash)))
}

export const hasBytes: Read<'imports.hasBytes'> = async (db, contentHash) =>
  (await findKnownHashes(db, [contentHash])).has(contentHash)
