import { sql } from 'kysely'
import type { BoardVisibility } from '#contract/board.ts'
import { UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'
import type { Read } from '#server/storage/sqlite/unit-types.ts'

/** A chosen cover is exported only if it is still on the board. */
const chosenCover = sql<string | null>`(SELECT image_name FROM images
  WHERE images.image_name = boards.cover_image_name AND images.board = boards.id
    AND images.deleted_at IS NULL)`

export const boardsToExport: Read<'exports.boards'> = async (db) => {
  const rows = await db
    .selectFrom('boards')
    .selectAll()
    .select(chosenCover.as('cover'))
    .where('id', '!=', UNCATEGORIZED)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    board_id: row.board_id,
    board_name: row.board_name,
    description: row.description,
    archived: row.archived === 1,
    starred: row.starred === 1,
    board_visibility: row.board_visibility as BoardVisibility,
    created_at: row.created_at,
    cover_image_name: row.cover,
  }))
}
