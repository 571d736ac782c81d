import type { Selectable } from 'kysely'
import type { GalleryItem } from '#contract/gallery-operations.ts'
import type { VideoRecord } from '#contract/video.ts'
import { videoMediaTypes } from '#contract/video-formats.ts'
import { videoUrls } from '#contract/video-urls.ts'
import { renderTimestamp } from '#server/core/clock.ts'
import type { View } from '#server/core/images/image-ports.ts'
import {
  categories,
  hexOf,
  isIntermediateKind,
  isVideoKind,
  origins,
  renderNullable,
} from '#server/storage/sql/codes.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { type Db, type ImagesTable, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import type { Read, ReadView, ViewReading } from '#server/storage/sql/unit-types.ts'
import { imageRecordOf, selectRecords } from './image-records.ts'

type Row = Selectable<ImagesTable> & { board_id: string }

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
  itemOf: (row: Row) => T,
): Promise<{ items: T[]; total: number }> => {
  const opened = await openView(view)
  const ids = await opened.slice(offset, limit)
  return { items: (await rowsOf(db, ids)).map(itemOf), total: opened.total }
}

/** Returns rows in the order of these ids. */
const rowsOf = async (db: Db, ids: readonly number[]): Promise<Row[]> => {
  const rows = await selectRecords(db)
    .where(isOneOf(db, 'images.id', ids))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const secondsOf = ({ duration }: Row): number => (duration ?? 0) / 1000
const fpsOf = ({ frame_rate }: Row): number | null =>
  frame_rate === null ? null : frame_rate / 1000

const videoRecordOf = (row: Row): VideoRecord => ({
  ...videoUrls(row.image_name),
  video_origin: origins[row.origin] ?? 'external',
  video_category: categories[row.category] ?? 'other',
  width: row.width,
  height: row.height,
  duration: secondsOf(row),
  fps: fpsOf(row),
  created_at: renderTimestamp(row.created_at),
  updated_at: renderTimestamp(row.updated_at),
  deleted_at: renderNullable(row.deleted_at),
  is_intermediate: isIntermediateKind(row.kind),
  session_id: row.session_id,
  node_id: row.node_id,
  starred: row.starred === 1,
  has_workflow: row.has_workflow === 1,
  video_subfolder: '',
  board_id: row.board === UNCATEGORIZED ? null : row.board_id,
  file_name: row.file_name,
  file_size: row.file_size,
  media_type: videoMediaTypes.find((type) => type === row.media_type) ?? null,
  content_hash: hexOf(row.content_hash),
  thumbhash: row.thumbhash.length === 0 ? null : Buffer.from(row.thumbhash).toString('base64'),
  codec: row.codec,
  has_sound: row.has_sound === 1,
})

const galleryItemOf = (row: Row): GalleryItem => {
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
