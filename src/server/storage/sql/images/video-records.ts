import type { GalleryItem } from '#contract/gallery-operations.ts'
import type { VideoRecord } from '#contract/videos/video.ts'
import { videoMediaTypes } from '#contract/videos/video-formats.ts'
import { versionedUrls, videoUrls } from '#contract/videos/video-urls.ts'
import type { View } from '#server/core/images/image-ports.ts'
import { categories, isVideoKind, origins, VIDEO_KINDS } from '#server/storage/sql/codes.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { replaceFingerprints } from '#server/storage/sql/likeness/write-fingerprints.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Read, ReadView, ViewReading, Write } from '#server/storage/sql/unit-types.ts'
import {
  type ItemRow,
  imageRecordOf,
  itemFieldsOf,
  selectRecords,
  videoDetailsOf,
} from './image-records.ts'

/** Includes the trash. */
export const getVideoRecord: Read<'videos.get'> = async (db, videoName) => {
  const row = await selectRecords(db).where('images.image_name', '=', videoName).executeTakeFirst()
  return row === undefined || !isVideoKind(row.kind) ? null : videoRecordOf(row)
}

/** Does nothing in the trash. */
export const setPoster: Write<'videos.setPoster'> = async (db, now, videoName, poster) => {
  const { id } =
    (await db
      .updateTable('images')
      .set({ poster_ms: poster.timeMs, thumbhash: poster.thumbhash, updated_at: now })
      .where('image_name', '=', videoName)
      .where('deleted_at', 'is', null)
      .where('kind', 'in', VIDEO_KINDS)
      .returning('id')
      .executeTakeFirst()) ?? {}
  if (id === undefined) return null
  await replaceFingerprints(db, [{ id, fingerprint: poster.fingerprint }])
  return getVideoRecord(db, videoName)
}

export const videoPageOf: ReadView<'videos.page'> = (reading, view, window) =>
  pageOf(reading, { ...view, kind: 'video' }, window, videoRecordOf)

export const galleryPageOf: ReadView<'gallery.page'> = (reading, view, window) =>
  pageOf(reading, view, window, galleryItemOf)

const pageOf = async <T>(
  { db, openView }: ViewReading,
  view: View,
  { offset, limit }: { offset: number; limit: number },
  itemOf: (row: ItemRow) => T,
): Promise<{ items: T[]; total: number }> => {
  const opened = await openView(view)
  const ids = await opened.slice(offset, limit)
  return { items: (await rowsOf(db, ids)).map(itemOf), total: opened.total }
}

/** Returns rows in the order of these ids. */
const rowsOf = async (db: Db, ids: readonly number[]): Promise<ItemRow[]> => {
  const rows = await selectRecords(db)
    .where(isOneOf(db, 'images.id', ids))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const videoRecordOf = (row: ItemRow): VideoRecord => ({
  ...videoUrls(row.image_name),
  thumbnail_url: versionedUrls(row.image_name, row.poster_ms).thumbnail_url,
  ...itemFieldsOf(row),
  video_origin: origins[row.origin] ?? 'external',
  video_category: categories[row.category] ?? 'other',
  ...videoDetailsOf(row),
  video_subfolder: '',
  media_type: videoMediaTypes.find((type) => type === row.media_type) ?? null,
  thumbhash: row.thumbhash.length === 0 ? null : Buffer.from(row.thumbhash).toString('base64'),
})

const galleryItemOf = (row: ItemRow): GalleryItem => {
  const image = imageRecordOf(row)
  return {
    kind: image.video ? 'video' : 'image',
    name: row.image_name,
    full_url: image.image_url,
    thumbnail_url: image.thumbnail_url,
    width: image.width,
    height: image.height,
    category: image.image_category,
    starred: image.starred,
    is_intermediate: image.is_intermediate,
    board_id: image.board_id,
    created_at: image.created_at,
    duration: image.video?.duration ?? null,
    fps: image.video?.fps ?? null,
  }
}
