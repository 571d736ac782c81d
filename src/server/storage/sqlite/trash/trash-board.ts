import type { TrashResult } from '#contract/trash-operations.ts'
import type { TrashBoardOptions } from '#server/core/record-ports.ts'
import { boardIdOf, getBoardKey } from '#server/storage/sqlite/boards/read-boards.ts'
import {
  idsOf,
  inParts,
  liveImagesOn,
  namesOf,
} from '#server/storage/sqlite/images/named-images.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'

/**
 * Moves a board to the trash, or the next `maxImages` of its images. Its images remember the board, whether they are
 * trashed or kept. null: no such board.
 */
export const trashBoard = async (
  db: Db,
  now: number,
  boardId: string,
  options: TrashBoardOptions,
): Promise<TrashResult | null> => {
  const board = await getBoardKey(db, boardId)
  if (board === null) return null
  const { maxImages = Number.MAX_SAFE_INTEGER - 1 } = options
  const next = await liveImagesOn(db, board, maxImages + 1)
  const images = next.slice(0, maxImages)
  const isLast = images.length === next.length
  const isKept = options.images === 'keep'
  await inParts(idsOf(images), (ids) =>
    db
      .updateTable('images')
      .set({ left_board: board, ...(isKept ? { board: UNCATEGORIZED } : { deleted_at: now }) })
      .where('id', 'in', ids)
      .execute(),
  )
  if (isLast) {
    await db.updateTable('boards').set({ deleted_at: now }).where('id', '=', board).execute()
  }
  const uncategorized = await boardIdOf(db, UNCATEGORIZED)
  return {
    affected_boards: isKept && images.length > 0 ? [boardId, uncategorized] : [boardId],
    trashed_images: isKept ? [] : namesOf(images),
    trashed_boards: isLast ? [boardId] : [],
    failed_images: [],
  }
}
