import type { Db } from '#server/storage/sqlite/tables.ts'
import { boardIdsOf, idsOf, inParts, namedLiveImages, namesOf } from './named-images.ts'

/** Stars images, or takes their stars. Unknown and trashed ones are left out of the answer. */
export const setStarred = async (
  db: Db,
  now: number,
  imageNames: readonly string[],
  starred: boolean,
): Promise<{ affected_boards: string[]; image_names: string[] }> => {
  const images = await namedLiveImages(db, imageNames)
  const flag = starred ? 1 : 0
  await inParts(idsOf(images), (ids) =>
    db
      .updateTable('images')
      .set({ starred: flag, updated_at: now })
      .where('id', 'in', ids)
      .where('starred', '!=', flag)
      .execute(),
  )
  return { affected_boards: boardIdsOf(images), image_names: namesOf(images) }
}
