import type { ArchiveEntry } from '#server/core/images/image-ports.ts'
import { getViewedBoardKey } from '#server/storage/sqlite/boards/read-boards.ts'
import { categories, hexOf } from '#server/storage/sqlite/codes.ts'
import { type PackedRows, packRows } from '#server/storage/sqlite/packed-rows.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { boundList } from './named-images.ts'

type Source = { boardId: string } | { imageNames: readonly string[] }

/** Returns the entries of an archive. For a board: all images outside the trash, newest first. null: no such board. */
export const archiveEntries = async (db: Db, source: Source): Promise<PackedRows | null> => {
  if ('imageNames' in source) return packRows(await entriesOfNames(db, source.imageNames))
  const board = await getViewedBoardKey(db, source.boardId)
  if (board === null) return null
  const rows = await selectEntries(db)
    .where('is_intermediate', 'in', [0, 1])
    .where('board', '=', board)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return packRows(rows.map(entryOf))
}

const entriesOfNames = async (db: Db, imageNames: readonly string[]) => {
  const rows = await selectEntries(db).where('image_name', 'in', boundList(imageNames)).execute()
  const entries = new Map(rows.map((row) => [row.image_name, entryOf(row)]))
  return [...new Set(imageNames)].flatMap((name) => entries.get(name) ?? [])
}

const selectEntries = (db: Db) =>
  db
    .selectFrom('images')
    .select(['image_name', 'category', 'file_name', 'file_size', 'content_hash'])

const entryOf = ({
  category,
  content_hash,
  ...entry
}: Omit<ArchiveEntry, 'image_category' | 'content_hash'> & {
  category: number
  content_hash: Uint8Array
}): ArchiveEntry => ({
  ...entry,
  content_hash: hexOf(content_hash),
  image_category: categories[category] ?? 'other',
})
