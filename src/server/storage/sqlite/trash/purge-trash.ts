import { removeBoardRow } from '#server/storage/sqlite/boards/remove-board.ts'
import { removeRows } from '#server/storage/sqlite/images/remove-images.ts'
import type { Write } from '#server/storage/sqlite/unit-types.ts'

export const purgeTrash: Write<'trash.purge'> = async (db, _now, before) => {
  const images = await db
    .selectFrom('images')
    .select('id')
    .where('deleted_at', '<', before)
    .execute()
  await removeRows(db, images)
  const boards = await db
    .selectFrom('boards')
    .select('id')
    .where('deleted_at', '<', before)
    .execute()
  for (const { id } of boards) await removeBoardRow(db, id)
  return { deleted_images: images.length, deleted_boards: boards.length }
}
