import type { ImageChanges } from '#contract/image.ts'
import { codeOfCategory, flagOf } from '#server/storage/sqlite/codes.ts'
import type { Write } from '#server/storage/sqlite/unit-types.ts'
import { getImageRecord } from './image-records.ts'
import { boardIdsOf, forEachPart, namedLiveImages, namesOf } from './named-images.ts'

export const updateImage: Write<'images.update'> = async (db, now, imageName, changes) => {
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

export const setStarred: Write<'images.setStarred'> = async (db, now, imageNames, starred) => {
  const images = await namedLiveImages(db, imageNames)
  const flag = starred ? 1 : 0
  await forEachPart(images, (ids) =>
    db
      .updateTable('images')
      .set({ starred: flag, updated_at: now })
      .where('id', 'in', ids)
      .where('starred', '!=', flag)
      .execute(),
  )
  return { affected_boards: boardIdsOf(images), image_names: namesOf(images) }
}
