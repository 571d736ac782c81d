import { sql } from 'kysely'
import type { ImageRecord } from '#contract/image.ts'
import type { NewImage } from '#server/core/images/image-ports.ts'
import { getBoardKey } from '#server/storage/sqlite/boards/read-boards.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'
import { insertImages } from './insert-images.ts'
import { getImageRecord } from './list-image-records.ts'

type Added = { image: ImageRecord; isRepeat: boolean } | 'board_not_found'

/** Adds images one after the other. Each has a separate outcome, in the same order. */
export const addEach = async (
  db: Db,
  now: number,
  images: readonly NewImage[],
): Promise<Added[]> => {
  const outcomes: Added[] = []
  for (const image of images) outcomes.push(await addImage(db, now, image))
  return outcomes
}

/** Adds an image unless its `upload_id` is already known. */
const addImage = async (db: Db, now: number, image: NewImage): Promise<Added> => {
  const known = image.upload_id === null ? null : await getImageByUploadId(db, image.upload_id)
  if (known !== null) return { image: known, isRepeat: true }
  const board = await boardOf(db, image)
  if (board === null) return 'board_not_found'

  await insertImages(db, now, [{ image, board }])
  const record = await getImageRecord(db, image.image_name)
  if (record === null) throw new Error(`the row of ${image.image_name} is gone after its insert`)
  return { image: record, isRepeat: false }
}

/** Returns the image with this upload id, or null. */
export const getImageByUploadId = async (db: Db, uploadId: string): Promise<ImageRecord | null> => {
  const row = await db
    .selectFrom('images')
    .select('image_name')
    .where('upload_id', '=', uploadId)
    .executeTakeFirst()
  return row === undefined ? null : getImageRecord(db, row.image_name)
}

/** Returns the oldest image outside the trash with this SHA-256, excluding intermediates. null: no such image. */
export const getImageByContentHash = async (
  db: Db,
  contentHash: string,
): Promise<ImageRecord | null> => {
  const hash = Buffer.from(contentHash, 'hex')
  const { rows } = await sql<{ image_name: string }>`
    SELECT image_name FROM images INDEXED BY same_bytes
    WHERE substr(content_hash, 1, 8) = ${hash.subarray(0, 8)} AND content_hash = ${hash}
      AND deleted_at IS NULL AND is_intermediate = 0
    ORDER BY id LIMIT 1`.execute(db)
  const [row] = rows
  return row === undefined ? null : getImageRecord(db, row.image_name)
}

/** Returns the key of an image's board. null: no such board. */
export const boardOf = async (db: Db, { board_id }: NewImage): Promise<number | null> =>
  board_id === null ? UNCATEGORIZED : getBoardKey(db, board_id)
