import { chosenCover } from '#server/storage/sqlite/boards/select-boards.ts'
import { UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'
import type { Read } from '#server/storage/sqlite/unit-types.ts'

export const boardsToExport: Read<'exports.boards'> = async (db) => {
  const rows = await db
    .selectFrom('boards')
    .select(['board_id', 'board_name', 'description', 'archived', 'starred', 'created_at'])
    .select(['board_visibility', chosenCover.as('cover_image_name')])
    .where('id', '!=', UNCATEGORIZED)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...row,
    archived: row.archived === 1,
    starred: row.starred === 1,
  }))
}
