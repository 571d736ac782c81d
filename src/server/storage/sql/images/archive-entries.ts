import type { ArchiveEntry } from '#server/core/images/image-ports.ts'
import { getViewedBoardKey } from '#server/storage/sql/boards/read-boards.ts'
import { ALL_KINDS, categories, hexOf } from '#server/storage/sql/codes.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { type PackedRows, packRows } from '#server/storage/sql/packed-rows.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { namedColumns, namedItemOf } from './named-items.ts'

type Source = { boardId: string } | { imageNames: readonly string[] }

/** Returns the entries of an archive. For a board: all images outside the trash, newest first. null: no such board. */
export const archiveEntries = async (db: Db, source: Source): Promise<PackedRows | null> => {
  if ('imageNames' in source) return packRows(await entriesOfNames(db, source.imageNames))
  const board = await getViewedBoardKey(db, source.boardId)
  if (board === null) return null
  const onBoard = selectEntries(db)
    .where('images.kind', 'in', ALL_KINDS)
    .where('images.board', '=', board)
    .where('images.deleted_at', 'is', null)
    .orderBy('images.created_at', 'desc')
    .orderBy('images.id', 'desc')
  return packRows(await readEntries(onBoard))
}

const entriesOfNames = async (db: Db, imageNames: readonly string[]) => {
  const named = selectEntries(db).where(isOneOf(db, 'images.image_name', imageNames))
  const entries = new Map((await readEntries(named)).map((entry) => [entry.image_name, entry]))
  return [...new Set(imageNames)].flatMap((name) => entries.get(name) ?? [])
}

const selectEntries = (db: Db) =>
  db
    .selectFrom('images')
    .innerJoin('boards', 'boards.id', 'images.board')
    .leftJoin('image_properties', 'image_properties.image', 'images.id')
    .select(namedColumns)
    .select(['images.category', 'images.file_size', 'images.content_hash'])

const readEntries = async (query: ReturnType<typeof selectEntries>): Promise<ArchiveEntry[]> => {
  const rows = await query.execute()
  return rows.map(({ category, content_hash, file_size, ...item }) => ({
    ...namedItemOf(item),
    file_size,
    content_hash: hexOf(content_hash),
    image_category: categories[category] ?? 'other',
  }))
}
