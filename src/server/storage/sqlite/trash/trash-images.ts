import type { TrashResult } from '#contract/trash-operations.ts'
import {
  boardIdsOf,
  idsOf,
  inParts,
  missingNames,
  namedImages,
  namesOf,
} from '#server/storage/sqlite/images/named-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'

/** Moves images to the trash. One that is there already stays as it is and is listed, so a repeat is no failure. */
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
