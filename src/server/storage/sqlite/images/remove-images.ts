import { sql } from 'kysely'
import type { DeleteImagesResult } from '#contract/image.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'
import {
  boardIdsOf,
  forEachPart,
  idsOf,
  liveImagesOn,
  type NamedImage,
  namedImages,
  namesOf,
} from './named-images.ts'

/** Deletes rows and inserts tombstones. Triggers and foreign keys delete metadata and search words. */
export const removeRows = async (db: Db, ids: readonly number[]): Promise<void> => {
  await forEachPart(ids, async (part) => {
    await db
      .insertInto('tombstones')
      .columns(['image_name'])
      .expression(db.selectFrom('images').select('image_name').where('id', 'in', part))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db.deleteFrom('images').where('id', 'in', part).execute()
  })
}

/** Permanently removes the named images, including those in the trash. Unknown names are ignored. */
export const removeImages = async (
  db: Db,
  _now: number,
  imageNames: readonly string[],
): Promise<DeleteImagesResult> => {
  const images = await namedImages(db, imageNames)
  await removeRows(db, idsOf(images))
  return { ...removalResult(images), failed_images: [] }
}

/** Permanently removes every uncategorized image outside the trash, including intermediates. */
export const removeUncategorized = async (db: Db): Promise<DeleteImagesResult> => {
  const images = await liveImagesOn(db, UNCATEGORIZED)
  await removeRows(db, idsOf(images))
  return { ...removalResult(images), failed_images: [] }
}

/** Removing an image from the trash does not affect its board. */
const removalResult = (images: readonly NamedImage[]) => ({
  affected_boards: boardIdsOf(images.filter((image) => !image.isTrashed)),
  deleted_images: namesOf(images),
})

export const countIntermediates = async (db: Db): Promise<number> => {
  const { total } = await db
    .selectFrom('image_counts')
    .select(sql<number>`coalesce(sum(n), 0)`.as('total'))
    .where('is_intermediate', '=', 1)
    .executeTakeFirstOrThrow()
  return total
}

/** Permanently removes every intermediate image and returns their number. */
export const removeIntermediates = async (db: Db): Promise<number> => {
  const rows = await db
    .selectFrom('images')
    .select('id')
    .where('is_intermediate', '=', 1)
    .where('deleted_at', 'is', null)
    .execute()
  await removeRows(
    db,
    rows.map(({ id }) => id),
  )
  return rows.length
}
