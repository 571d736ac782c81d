import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { FileMark } from '#server/core/imports/import-records.ts'
import { hexOf } from '#server/storage/sqlite/codes.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'

/** Files that imports have read. The key is half of a SHA-256 of the path. */
export interface ImportedFilesTable {
  path_key: Uint8Array
  bytes: number
  /** Microseconds since 1970: precise enough for file systems, and an integer. */
  modified_us: number
  content_hash: Uint8Array
}

const KEY_BYTES = 16

const keyOf = (path: string): Buffer =>
  // UTF-16, because a path may contain lone surrogates.
  createHash('sha256').update(path, 'utf16le').digest().subarray(0, KEY_BYTES)

const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1000)

/** Returns the hashes (hexadecimal) of files that have not changed since they were read, in the order of `files`. */
export const hashesOfUnchanged = async (db: Db, files: readonly FileMark[]) => {
  const keys = files.map(({ path }) => keyOf(path))
  const given = JSON.stringify(keys.map((key) => key.toString('hex')))
  const rows = await db
    .selectFrom('imported_files')
    .selectAll()
    .where('path_key', 'in', sql<Uint8Array>`(SELECT unhex(value) FROM json_each(${given}))`)
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
  await db
    .replaceInto('imported_files')
    .values(
      files.map(({ path, bytes, modifiedAt, contentHash }) => ({
        path_key: keyOf(path),
        bytes,
        modified_us: microseconds(modifiedAt),
        content_hash: Buffer.from(contentHash, 'hex'),
      })),
    )
    .execute()
}
