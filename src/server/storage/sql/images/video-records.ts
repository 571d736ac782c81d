import type { GalleryItem } from '#contract/gallery-operations.ts'
import type { VideoRecord } from '#contract/videos/video.ts'
import { videoMediaTypes } from '#contract/videos/video-formats.ts'
import { videoUrls } from '#contract/videos/video-urls.ts'
import type { View } from '#server/core/images/image-ports.ts'
import { categories, isVideoKind, origins } from '#server/storage/sql/codes.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Read, ReadView, ViewReading } from '#server/storage/sql/unit-types.ts'
import { type ItemRow, imageRecordOf, itemFieldsOf, selectRecords } from './image-records.ts'

/** Includes the trash. */
export const getVideoRecord: Read<'videos.get'> = async (db, videoName) => {
  const row = await selectRecords(db).where('images.image_name', '=', videoName).executeTakeFirst()
  return row === undefined || !isVideoKind(row.kind) ? null : videoRecordOf(row)
}

export const videoPageOf: ReadView<'videos.page'> = (reading, view, window) =>
  pageOf(reading, { ...view, items: 'videos' }, window, videoRecordOf)

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

const secondsOf = ({ duration }: ItemRow): number => (duration ?? 0) / 1000
const fpsOf = ({ frame_rate }: ItemRow): number | null =>
  frame_rate === null ? null : frame_rate / 1000

const videoRecordOf = (row: ItemRow): VideoRecord => ({
  ...videoUrls(row.image_name),
  ...itemFieldsOf(row),
  video_origin: origins[row.origin] ?? 'external',
  video_category: categories[row.category] ?? 'other',
  duration: secondsOf(row),
  fps: fpsOf(row),
  video_subfolder: '',
  media_type: videoMediaTypes.find((type) => type === row.media_type) ?? null,
  thumbhash: row.thumbhash.length === 0 ? null : Buffer.from(row.thumbhash).toString('base64'),
  codec: row.codec,
  has_sound: row.has_sound === 1,
})

const galleryItemOf = (row: ItemRow): GalleryItem => {
  const isVideo = isVideoKind(row.kind)
  const image = imageRecordOf(row)
  const { video_url, thumbnail_url } = videoUrls(row.image_name)
  return {
    kind: isVideo ? 'video' : 'image',
    name: row.image_name,
    full_url: isVideo ? video_url : image.image_url,
    thumbnail_url: isVideo ? thumbnail_url : image.thumbnail_url,
    width: image.width,
    height: image.height,
    category: image.image_category,
    starred: image.starred,
    is_intermediate: image.is_intermediate,
    board_id: image.board_id,
    created_at: image.created_at,
    duration: isVideo ? secondsOf(row) : null,
    fps: isVideo ? fpsOf(row) : null,
  }
}
