import type { EmptyTrashResult, TrashResult } from '#contract/trash-operations.ts'
import { removeBoardRow } from '#server/storage/sqlite/boards/remove-board.ts'
import {
  boardIdsOf,
  idsOf,
  inParts,
  missingNames,
  namedImages,
  namesOf,
} from '#server/storage/sqlite/images/named-images.ts'
import { removeRows } from '#server/storage/sqlite/images/remove-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'

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
  await inParts(idsOf(live), (ids) =>
    db.updateTable('images').set({ deleted_at: now }).where('id', 'in', ids).execute(),
  )
  return {
    affected_boards: boardIdsOf(live),
    trashed_images: namesOf(images),
    trashed_boards: [],
    failed_images: missingNames(imageNames, images),
  }
}

/** Permanently removes images and boards that were trashed before a time. */
export const purge = async (db: Db, _now: number, before: number): Promise<EmptyTrashResult> => {
  const images = await db
    .selectFrom('images')
    .select('id')
    .where('deleted_at', '<', before)
    .execute()
  await removeRows(
    db,
    images.map(({ id }) => id),
  )
  const boards = await db
    .selectFrom('boards')
    .select('id')
    .where('deleted_at', '<', before)
    .execute()
  for (const { id } of boards) await removeBoardRow(db, id)
  return { deleted_images: images.length, deleted_boards: boards.length }
}
