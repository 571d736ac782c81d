import { sql } from 'kysely'
import type { ImageRecord } from '#contract/image.ts'
import type { NewImage } from '#server/core/image-ports.ts'
import { getBoardKey } from '#server/storage/sqlite/boards/get-board-key.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'
import { insertImages } from './insert-images.ts'
import { getImageRecord } from './list-image-records.ts'

type Added = { image: ImageRecord; isRepeat: boolean } | 'board_not_found'

/** Adds an image. A known upload_id adds nothing. */
export const addImage = async (db: Db, now: number, image: NewImage): Promise<Added> => {
  const known = image.upload_id === null ? null : await getImageByUploadId(db, image.upload_id)
  if (known !== null) return { image: known, isRepeat: true }
  const board = await boardOf(db, image)
  if (board === null) return 'board_not_found'

  await insertImages(db, now, [{ image, board }])
  const record = await getImageRecord(db, image.image_name)
  if (record === null) throw new Error(`the row of ${image.image_name} is gone after its insert`)
  return { image: record, isRepeat: false }
}

/** null: no image was uploaded under this id. */
export const getImageByUploadId = async (db: Db, uploadId: string): Promise<ImageRecord | null> => {
  const row = await db
    .selectFrom('images')
    .select('image_name')
    .where('upload_id', '=', uploadId)
    .executeTakeFirst()
  return row === undefined ? null : getImageRecord(db, row.image_name)
}

/** null: no image that a gallery shows has these bytes. The oldest, where several have. */
export const getImageByContentHash = async (
  db: Db,
  contentHash: string,
): Promise<ImageRecord | null> => {
  const hash = Buffer.from(contentHash, 'hex')
  const row = await db
    .selectFrom('images')
    .select('image_name')
    .where(sql`substr(content_hash, 1, 8)`, '=', hash.subarray(0, 8))
    .where('content_hash', '=', hash)
    .where('deleted_at', 'is', null)
    // Not bound: the index is partial, and is used only where the text says that it may be.
    .where('is_intermediate', '=', sql.lit(0))
    .orderBy('id')
    .executeTakeFirst()
  return row === undefined ? null : getImageRecord(db, row.image_name)
}

/** The key of the board that an image names. null: no such board. */
export const boardOf = async (db: Db, { board_id }: NewImage): Promise<number | null> =>
  board_id === null ? UNCATEGORIZED : getBoardKey(db, board_id)
