import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { FileMark } from '#server/core/imports/import-records.ts'
import { hexOf } from '#server/storage/sql/codes.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Read } from '#server/storage/sql/unit-types.ts'

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
    SELECT upload_id AS known FROM images WHERE ${isOneOf(db, 'upload_id', uploadIds)}
    UNION ALL SELECT image_name FROM images WHERE ${isOneOf(db, 'image_name', names)}`.execute(db)
  return new Set(rows.map(({ known }) => known))
}

export const takenNames: Read<'imports.takenNames'> = async (db, imageNames) => {
  const namesIn = (table: 'images' | 'tombstones') =>
    db
      .selectFrom(table)
      .select('image_name')
      .where(isOneOf(db, 'image_name', imageNames))
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
  const firstBytes = contentHashes.map((hash) => hash.slice(0, 16))
  const isGiven = dialectOf(db).areBytesIn(sql`substr(content_hash, 1, 8)`, firstBytes)
  const { rows } = await sql<{ content_hash: Uint8Array }>`
    SELECT content_hash FROM images ${dialectOf(db).indexedBy('same_bytes')}
    WHERE ${isGiven} AND deleted_at IS NULL AND kind IN (0, 2)
    UNION ALL SELECT content_hash FROM images ${dialectOf(db).indexedBy('trashed_bytes')}
    WHERE ${isGiven} AND deleted_at IS NOT NULL`.execute(db)
  return new Set(rows.map((row) => hexOf(row.content_hash)))
}

export const hasBytes: Read<'imports.hasBytes'> = async (db, contentHash) =>
  (await findKnownHashes(db, [contentHash])).has(contentHash)

const KEY_BYTES = 16

const keyOf = (path: string): Buffer =>
  // UTF-16, because a path may contain lone surrogates.
  createHash('sha256').update(path, 'utf16le').digest().subarray(0, KEY_BYTES)

const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1000)

/** Returns the hashes (hexadecimal) of files that have not changed since they were read, in the order of `files`. */
export const hashesOfUnchanged = async (db: Db, files: readonly FileMark[]) => {
  const keys = files.map(({ path }) => keyOf(path))
  const rows = await db
    .selectFrom('imported_files')
    .selectAll()
    .where(dialectOf(db).areBytesIn(sql.ref('path_key'), keys.map(hexOf)))
    .execute()
  const known = new Map(rows.map((row) => [hexOf(row.path_key), row]))
  return files.map(({ bytes, modifiedAt }, at) => {
    const row = known.get(hexOf(keys[at] ?? Buffer.of()))
    const isUnchanged = row?.bytes === bytes && row.modified_us === microseconds(modifiedAt)
    return isUnchanged ? hexOf(row.content_hash) : null
  })
}

export const rememberFiles = async (
  db: Db,
  files: readonly (FileMark & { contentHash: string })[],
): Promise<void> => {
  if (files.length === 0) return
  const rows = files.map(({ path, bytes, modifiedAt, contentHash }) => ({
    path_key: keyOf(path),
    bytes,
    modified_us: microseconds(modifiedAt),
    content_hash: Buffer.from(contentHash, 'hex'),
  }))
  // PostgreSQL changes a row only once per statement.
  const last = new Map(rows.map((row) => [hexOf(row.path_key), row]))
  await db
    .insertInto('imported_files')
    .values([...last.values()])
    .onConflict((conflict) =>
      conflict.column('path_key').doUpdateSet(({ ref }) => ({
        bytes: ref('excluded.bytes'),
        modified_us: ref('excluded.modified_us'),
        content_hash: ref('excluded.content_hash'),
      })),
    )
    .execute()
}
