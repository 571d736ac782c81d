import type { ArchiveEntry } from '#server/core/images/image-ports.ts'
import { getViewedBoardKey } from '#server/storage/sql/boards/read-boards.ts'
import { ALL_KINDS, categories, hexOf } from '#server/storage/sql/codes.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { type PackedRows, packRows } from '#server/storage/sql/packed-rows.ts'
import type { Db } from '#server/storage/sql/tables.ts'

type Source = { boardId: string } | { imageNames: readonly string[] }

/** Returns the entries of an archive. For a board: all images outside the trash, newest first. null: no such board. */
export const archiveEntries = async (db: Db, source: Source): Promise<PackedRows | null> => {
  if ('imageNames' in source) return packRows(await entriesOfNames(db, source.imageNames))
  const board = await getViewedBoardKey(db, source.boardId)
  if (board === null) return null
  const onBoard = selectEntries(db)
    .where('kind', 'in', ALL_KINDS)
    .where('board', '=', board)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
  return packRows(await readEntries(onBoard))
}

const entriesOfNames = async (db: Db, imageNames: readonly string[]) => {
  const named = selectEntries(db).where(isOneOf(db, 'image_name', imageNames))
  const entries = new Map((await readEntries(named)).map((entry) => [entry.image_name, entry]))
  return [...new Set(imageNames)].flatMap((name) => entries.get(name) ?? [])
}

const selectEntries = (db: Db) =>
  db
    .selectFrom('images')
    .select(['image_name', 'category', 'file_name', 'file_size', 'content_hash'])

const readEntries = async (query: ReturnType<typeof selectEntries>): Promise<ArchiveEntry[]> => {
  const rows = await query.execute()
  return rows.map(({ category, content_hash, ...entry }) => ({
    ...entry,
    content_hash: hexOf(content_hash),
    image_category: categories[category] ?? 'other',
  }))
}
