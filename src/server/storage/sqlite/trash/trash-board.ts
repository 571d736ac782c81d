import type { TrashResult } from '#contract/trash-operations.ts'
import { boardIdOf, getBoardKey } from '#server/storage/sqlite/boards/get-board-key.ts'
import { each, idsOf, liveImagesOn, namesOf } from '#server/storage/sqlite/images/named-images.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'

/** Moves a board to the trash. Its images remember it, whether they go along or stay. null: no such board. */
export const trashBoard = async (
  db: Db,
  now: number,
  boardId: string,
  options: { images: 'keep' | 'trash' },
): Promise<TrashResult | null> => {
  const board = await getBoardKey(db, boardId)
  if (board === null) return null
  const images = await liveImagesOn(db, board)
  const isKept = options.images === 'keep'
  await db
    .updateTable('images')
    .set({ left_board: board, ...(isKept ? { board: UNCATEGORIZED } : { deleted_at: now }) })
    .where('id', 'in', each(idsOf(images)))
    .execute()
  await db.updateTable('boards').set({ deleted_at: now }).where('id', '=', board).execute()
  const uncategorized = await boardIdOf(db, UNCATEGORIZED)
  return {
    affected_boards: isKept && images.length > 0 ? [boardId, uncategorized] : [boardId],
    trashed_images: isKept ? [] : namesOf(images),
    trashed_boards: [boardId],
    failed_images: [],
  }
}
