import { liveImagesOn, namesOf, setColumns } from '#server/storage/sqlite/images/named-images.ts'
import { removeRows } from '#server/storage/sqlite/images/remove-images.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'
import type { Write } from '#server/storage/sqlite/unit-types.ts'
import { getBoardKey } from './read-boards.ts'

/** With `keep`, the images become uncategorized. */
export const removeBoard: Write<'boards.remove'> = async (db, now, boardId, options) => {
  const board = await getBoardKey(db, boardId)
  if (board === null) return null
  const images = await liveImagesOn(db, board)
  if (options.images === 'delete') await removeRows(db, images)
  else await setColumns(db, images, { board: UNCATEGORIZED, left_board: null, updated_at: now })
  await removeBoardRow(db, board)

  const names = namesOf(images)
  return {
    board_id: boardId,
    deleted_board_images: options.images === 'keep' ? names : [],
    deleted_images: options.images === 'delete' ? names : [],
    deleted_board_videos: [],
    deleted_videos: [],
    failed_images: [],
    failed_videos: [],
  }
}

/** Removes the row of a board and all references to it. Its images in the trash stay there, uncategorized. */
export const removeBoardRow = async (db: Db, board: number): Promise<void> => {
  await db
    .updateTable('images')
    .set({ board: UNCATEGORIZED })
    .where('board', '=', board)
    .where('deleted_at', 'is not', null)
    .execute()
  await db.updateTable('images').set({ left_board: null }).where('left_board', '=', board).execute()
  await db.deleteFrom('image_counts').where('board', '=', board).execute()
  await db.deleteFrom('boards_fts').where('rowid', '=', board).execute()
  await db.deleteFrom('boards').where('id', '=', board).execute()
}
