import { sql } from 'kysely'
import type { DeleteImagesResult } from '#contract/image.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'
import {
  boardIdsOf,
  idsOf,
  inParts,
  liveImagesOn,
  type NamedImage,
  namedImages,
  namesOf,
} from './named-images.ts'

/** Rows out and tombstones in. Metadata and words for search go along, by the schema. */
export const removeRows = async (db: Db, ids: readonly number[]): Promise<void> => {
  await inParts(ids, async (part) => {
    await db
      .insertInto('tombstones')
      .columns(['image_name'])
      .expression(db.selectFrom('images').select('image_name').where('id', 'in', part))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db.deleteFrom('images').where('id', 'in', part).execute()
  })
}

/** Removes the named images permanently, including those in the trash. Unknown names are left out. */
export const removeImages = async (
  db: Db,
  _now: number,
  imageNames: readonly string[],
): Promise<DeleteImagesResult> => {
  const images = await namedImages(db, imageNames)
  await removeRows(db, idsOf(images))
  return { ...removed(images), failed_images: [] }
}

/** Removes every uncategorized image for good, intermediates included, what is in the trash not. */
export const removeUncategorized = async (db: Db): Promise<DeleteImagesResult> => {
  const images = await liveImagesOn(db, UNCATEGORIZED)
  await removeRows(db, idsOf(images))
  return { ...removed(images), failed_images: [] }
}

/** Nothing changes on the board of an image that was in the trash. */
const removed = (images: readonly NamedImage[]) => ({
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

/** Removes every intermediate image for good and says how many. */
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
