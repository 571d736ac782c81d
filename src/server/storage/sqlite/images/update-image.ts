import type { ImageChanges, ImageRecord } from '#contract/image.ts'
import { codeOfCategory } from '#server/storage/sqlite/codes.ts'
import type { Db, Flag } from '#server/storage/sqlite/tables.ts'
import { getImageRecord } from './list-image-records.ts'

/** Changes what is given. null: no such image outside the trash. */
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

/** An absent or null key leaves its column as it is (wire 2.5). */
const columnsOf = ({ image_category, session_id, is_intermediate, starred }: ImageChanges) => ({
  ...(image_category == null ? {} : { category: codeOfCategory(image_category) }),
  ...(session_id == null ? {} : { session_id }),
  ...(is_intermediate == null ? {} : { is_intermediate: flagOf(is_intermediate) }),
  ...(starred == null ? {} : { starred: flagOf(starred) }),
})

const flagOf = (value: boolean): Flag => (value ? 1 : 0)
