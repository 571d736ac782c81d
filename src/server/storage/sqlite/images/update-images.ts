import type { ImageChanges, ImageRecord } from '#contract/image.ts'
import { codeOfCategory, flagOf } from '#server/storage/sqlite/codes.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { getImageRecord } from './image-records.ts'
import { boardIdsOf, forEachPart, idsOf, namedLiveImages, namesOf } from './named-images.ts'

/** Updates the given fields. null: no such image outside the trash. */
export const updateImage = async (
  db: Db,
  now: number,
  imageName: string,
  changes: ImageChanges,
): Promise<ImageRecord | null> => {
  const { id } =
    (await db
      .updateTable('images')
      .set({ ...columnsOf(changes), updated_at: now })
      .where('image_name', '=', imageName)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()) ?? {}
  return id === undefined ? null : getImageRecord(db, imageName)
}

/** As in InvokeAI, an absent or null key leaves its column unchanged. */
const columnsOf = ({ image_category, session_id, is_intermediate, starred }: ImageChanges) => ({
  ...(image_category == null ? {} : { category: codeOfCategory(image_category) }),
  ...(session_id == null ? {} : { session_id }),
  ...(is_intermediate == null ? {} : { is_intermediate: flagOf(is_intermediate) }),
  ...(starred == null ? {} : { starred: flagOf(starred) }),
})

/** Stars or unstars images. The result leaves out unknown and trashed images. */
export const setStarred = async (
  db: Db,
  now: number,
  imageNames: readonly string[],
  starred: boolean,
): Promise<{ affected_boards: string[]; image_names: string[] }> => {
  const images = await namedLiveImages(db, imageNames)
  const flag = starred ? 1 : 0
  await forEachPart(idsOf(images), (ids) =>
    db
      .updateTable('images')
      .set({ starred: flag, updated_at: now })
      .where('id', 'in', ids)
      .where('starred', '!=', flag)
      .execute(),
  )
  return { affected_boards: boardIdsOf(images), image_names: namesOf(images) }
}
