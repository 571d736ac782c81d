import { boardIdOf, getBoardKey } from '#server/storage/sqlite/boards/read-boards.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'
import type { Write } from '#server/storage/sqlite/unit-types.ts'
import { boardIdsOf, forEachPart, namedLiveImages, namesOf } from './named-images.ts'

/** `none` is not a board here. */
export const addToBoard: Write<'images.addToBoard'> = async (db, now, imageNames, boardId) => {
  const board = await getBoardKey(db, boardId)
  if (board === null) return null
  const { affected_boards, image_names } = await move(db, now, imageNames, board)
  return { affected_boards, added_images: image_names, failed_images: [] }
}

/** As in InvokeAI, uncategorized images are also processed and listed. */
export const removeFromBoard: Write<'images.removeFromBoard'> = async (db, now, imageNames) => {
  const { affected_boards, image_names } = await move(db, now, imageNames, UNCATEGORIZED)
  return { affected_boards, removed_images: image_names, failed_images: [] }
}

const move = async (db: Db, now: number, imageNames: readonly string[], board: number) => {
  const images = await namedLiveImages(db, imageNames)
  if (images.length === 0) return { affected_boards: [], image_names: [] }
  await forEachPart(images, (ids) =>
    db
      .updateTable('images')
      // A board restored from the trash gets back only images that were not moved in the meantime.
      .set({ board, left_board: null, updated_at: now })
      .where('id', 'in', ids)
      .where((row) => row.or([row('board', '!=', board), row('left_board', 'is not', null)]))
      .execute(),
  )
  const target = await boardIdOf(db, board)
  return {
    affected_boards: [...new Set([target, ...boardIdsOf(images)])],
    image_names: namesOf(images),
  }
}
