import type { EmptyTrashResult } from '#contract/trash-operations.ts'
import { removeBoardRow } from '#server/storage/sqlite/boards/remove-board.ts'
import { removeRows } from '#server/storage/sqlite/images/remove-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'

/** Permanently removes images and boards that were trashed before a time. */
export const purgeTrash = async (
  db: Db,
  _now: number,
  before: number,
): Promise<EmptyTrashResult> => {
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
