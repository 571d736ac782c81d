import type { NewImage } from '#server/core/images/image-ports.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { boardOf } from './add-image.ts'
import { IMAGES_A_STATEMENT, insertImages, type PlacedImage } from './insert-images.ts'

/** Adds new images, all or none. `'board_not_found'`: none. */
export const addImages = async (
  db: Db,
  now: number,
  images: readonly NewImage[],
): Promise<number | 'board_not_found'> => {
  const placed = await placedImages(db, images)
  if (placed === null) return 'board_not_found'
  for (let at = 0; at < placed.length; at += IMAGES_A_STATEMENT)
    await insertImages(db, now, placed.slice(at, at + IMAGES_A_STATEMENT))
  return placed.length
}

/** null: one of them names a board that is not there. */
const placedImages = async (db: Db, images: readonly NewImage[]): Promise<PlacedImage[] | null> => {
  const boards = new Map<string | null, number>()
  const placed: PlacedImage[] = []
  for (const image of images) {
    const board = boards.get(image.board_id) ?? (await boardOf(db, image))
    if (board === null) return null
    boards.set(image.board_id, board)
    placed.push({ image, board })
  }
  return placed
}
