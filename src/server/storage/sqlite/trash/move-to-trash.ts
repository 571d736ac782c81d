import type { TrashResult } from '#contract/trash-operations.ts'
import type { TrashBoardOptions } from '#server/core/record-ports.ts'
import { boardIdOf, getBoardKey } from '#server/storage/sqlite/boards/read-boards.ts'
import {
  boardIdsOf,
  forEachPart,
  idsOf,
  liveImagesOn,
  missingNames,
  namedImages,
  namesOf,
} from '#server/storage/sqlite/images/named-images.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'

/**
 * Moves images to the trash. Images already in the trash are unchanged and listed, so that a repeated request
 * succeeds.
 */
export const trashImages = async (
  db: Db,
  now: number,
  imageNames: readonly string[],
): Promise<TrashResult> => {
  const images = await namedImages(db, imageNames)
  const live = images.filter((image) => !image.isTrashed)
  await forEachPart(idsOf(live), (ids) =>
    db.updateTable('images').set({ deleted_at: now }).where('id', 'in', ids).execute(),
  )
  return {
    affected_boards: boardIdsOf(live),
    trashed_images: namesOf(images),
    trashed_boards: [],
    failed_images: missingNames(imageNames, images),
  }
}

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
  const keepsImages = options.images === 'keep'
  await forEachPart(idsOf(images), (ids) =>
    db
      .updateTable('images')
      .set({ left_board: board, ...(keepsImages ? { board: UNCATEGORIZED } : { deleted_at: now }) })
      .where('id', 'in', ids)
      .execute(),
  )
  if (isLast) {
    await db.updateTable('boards').set({ deleted_at: now }).where('id', '=', board).execute()
  }
  const uncategorized = await boardIdOf(db, UNCATEGORIZED)
  return {
    affected_boards: keepsImages && images.length > 0 ? [boardId, uncategorized] : [boardId],
    trashed_images: keepsImages ? [] : namesOf(images),
    trashed_boards: isLast ? [boardId] : [],
    failed_images: [],
  }
}
