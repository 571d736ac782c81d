import { sql } from 'kysely'
import { isVideoName } from '#contract/videos/video-formats.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import type { Read, Write } from '#server/storage/sql/unit-types.ts'
import {
  boardIdsOf,
  forEachPart,
  isLive,
  liveImagesOn,
  type NamedImage,
  namedImages,
  namesOf,
} from './named-images.ts'

/** Deletes rows and inserts tombstones. Triggers and foreign keys delete metadata and search words. */
export const removeRows = (db: Db, images: readonly { id: number }[]): Promise<void> =>
  forEachPart(images, async (ids) => {
    await db
      .insertInto('tombstones')
      .columns(['image_name'])
      .expression(
        db
          .selectFrom('images')
          .select('image_name')
          .where(isOneOf(db, 'id', ids)),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .deleteFrom('images')
      .where(isOneOf(db, 'id', ids))
      .execute()
  })

export const removeImages: Write<'images.remove'> = async (db, _now, imageNames) => {
  const images = await namedImages(db, imageNames)
  await removeRows(db, images)
  return removalResult(images)
}

export const removeUncategorized: Write<'images.removeUncategorized'> = async (
  db,
  _now,
  kind = 'image',
) => {
  const all = await liveImagesOn(db, UNCATEGORIZED)
  const images = all.filter(({ image_name }) => isVideoName(image_name) === (kind === 'video'))
  await removeRows(db, images)
  return removalResult(images)
}

/** Removing an image from the trash does not affect its board. */
const removalResult = (images: readonly NamedImage[]) => ({
  affected_boards: boardIdsOf(images.filter(isLive)),
  deleted_images: namesOf(images),
  failed_images: [],
})

export const countIntermediates: Read<'images.countIntermediates'> = async (db) => {
  const { total } = await db
    .selectFrom('image_counts')
    .select(sql<number>`coalesce(sum(n), 0)`.as('total'))
    .where('kind', '=', 1)
    .executeTakeFirstOrThrow()
  return total
}

export const removeIntermediates: Write<'images.removeIntermediates'> = async (db) => {
  const rows = await db
    .selectFrom('images')
    .select('id')
    .where('kind', '=', 1)
    .where('deleted_at', 'is', null)
    .execute()
  await removeRows(db, rows)
  return rows.length
}
