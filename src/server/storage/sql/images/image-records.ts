import { type Selectable, sql } from 'kysely'
import type { ImageRecord } from '#contract/image.ts'
import { imageMediaTypes } from '#contract/image-formats.ts'
import { videoMediaTypes } from '#contract/videos/video-formats.ts'
import { versionedUrls } from '#contract/videos/video-urls.ts'
import { renderTimestamp } from '#server/core/clock.ts'
import {
  categories,
  hexOf,
  isIntermediateKind,
  isVideoKind,
  origins,
  renderNullable,
} from '#server/storage/sql/codes.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import { type PackedRows, readPacked } from '#server/storage/sql/packed-rows.ts'
import { type Db, type ImagesTable, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import { tagNamesOfImage, tagsIn } from '#server/storage/sql/tags/tag-names-of.ts'
import type { Read } from '#server/storage/sql/unit-types.ts'

export const selectRecords = (db: Db) =>
  db
    .selectFrom('images')
    .innerJoin('boards', 'boards.id', 'images.board')
    .selectAll('images')
    .select('boards.board_id')
    .select(tagNamesOfImage(db).as('tag_names'))

/** Includes videos and the trash. */
export const getImageRecord: Read<'images.get'> = async (db, imageName) => {
  const row = await selectRecords(db).where('images.image_name', '=', imageName).executeTakeFirst()
  return row === undefined ? null : imageRecordOf(row)
}

export const isThere: Read<'images.isThere'> = async (db, imageName) => {
  const query = db.selectFrom('images').select('id').where('image_name', '=', imageName)
  return (await query.executeTakeFirst()) !== undefined
}

/** Returns records in the order of these names. null: no such image. Includes the trash. */
export const getImageRecords = async (
  db: Db,
  imageNames: readonly string[],
): Promise<(ImageRecord | null)[]> => {
  const rows = await selectRecords(db)
    .where(isOneOf(db, 'images.image_name', imageNames))
    .execute()
  const records = new Map(rows.map((row) => [row.image_name, imageRecordOf(row)]))
  return imageNames.map((name) => records.get(name) ?? null)
}

export const getImageByUploadId: Read<'images.getByUploadId'> = async (db, uploadId) => {
  const row = await selectRecords(db).where('images.upload_id', '=', uploadId).executeTakeFirst()
  return row === undefined ? null : imageRecordOf(row)
}

export const getImageByContentHash: Read<'images.getByContentHash'> = async (db, contentHash) => {
  const hash = Buffer.from(contentHash, 'hex')
  const { rows } = await sql<{ image_name: string }>`
    SELECT image_name FROM images ${dialectOf(db).indexedBy('same_bytes')}
    WHERE substr(content_hash, 1, 8) = ${hash.subarray(0, 8)} AND content_hash = ${hash}
      AND deleted_at IS NULL AND kind IN (0, 2)
    ORDER BY id LIMIT 1`.execute(db)
  const [row] = rows
  return row === undefined ? null : getImageRecord(db, row.image_name)
}

/** Returns records in the order of these ids. */
export const listRecordsByIds = async (db: Db, ids: readonly number[]): Promise<ImageRecord[]> => {
  const rows = await selectRecords(db)
    .where(isOneOf(db, 'images.id', ids))
    .execute()
  const records = new Map(rows.map((row) => [row.id, imageRecordOf(row)]))
  return ids.flatMap((id) => records.get(id) ?? [])
}

/** Returns records in the order of these names. Unknown names are left out, repeated ones are repeated. */
export const listRecordsByNames = (db: Db, imageNames: readonly string[]): Promise<PackedRows> =>
  readPacked(imageNames, async (part) => {
    const rows = await selectRecords(db)
      .where(isOneOf(db, 'images.image_name', part))
      .execute()
    const records = new Map(rows.map((row) => [row.image_name, imageRecordOf(row)]))
    return part.flatMap((name) => records.get(name) ?? [])
  })

/** A row of `images`, with the id of its board and a JSON array of its tags. */
export type ItemRow = Selectable<ImagesTable> & { board_id: string; tag_names: string }

/** Returns the fields that the records of images and videos share. */
export const itemFieldsOf = (row: ItemRow) => ({
  width: row.width,
  height: row.height,
  created_at: renderTimestamp(row.created_at),
  updated_at: renderTimestamp(row.updated_at),
  deleted_at: renderNullable(row.deleted_at),
  is_intermediate: isIntermediateKind(row.kind),
  session_id: row.session_id,
  node_id: row.node_id,
  starred: row.starred === 1,
  rating: row.rating,
  tags: tagsIn(row.tag_names),
  has_workflow: row.has_workflow === 1,
  board_id: row.board === UNCATEGORIZED ? null : row.board_id,
  file_name: row.file_name,
  file_size: row.file_size,
  content_hash: hexOf(row.content_hash),
})

/** Returns the properties that only a video has. */
export const videoDetailsOf = ({ duration, frame_rate, codec, has_sound, poster_ms }: ItemRow) => ({
  duration: (duration ?? 0) / 1000,
  fps: frame_rate === null ? null : frame_rate / 1000,
  codec,
  has_sound: has_sound === 1,
  poster_ms,
})

const mediaTypes = [...imageMediaTypes, ...videoMediaTypes]

/** Converts a row to the API record of an image, or of a video among images. */
export const imageRecordOf = (row: ItemRow): ImageRecord => ({
  ...versionedUrls(row.image_name, row.poster_ms),
  ...itemFieldsOf(row),
  image_origin: origins[row.origin] ?? 'external',
  image_category: categories[row.category] ?? 'other',
  image_subfolder: '',
  media_type: mediaTypes.find((type) => type === row.media_type) ?? null,
  thumbhash: row.thumbhash.length === 0 ? null : Buffer.from(row.thumbhash).toString('base64'),
  taken_at: renderNullable(row.taken_at),
  prompt_start: row.prompt_start,
  is_animated: row.is_animated === null ? null : row.is_animated === 1,
  generator: row.generator,
  video: isVideoKind(row.kind) ? videoDetailsOf(row) : null,
})
