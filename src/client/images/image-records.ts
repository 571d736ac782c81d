import type { GalleryItem } from '#contract/gallery-operations.ts'
import { type ImageRecord, noImageExtensions } from '#contract/image.ts'
import type { VideoRecord } from '#contract/videos/video.ts'

/** An image record as a server sends it. InvokeAI lacks the extension fields. */
export type ImageAnswer = Omit<ImageRecord, keyof typeof noImageExtensions> & Partial<ImageRecord>

/** Returns an image record with all fields; unknown ones are null. */
export const imageOfAnswer = (answer: ImageAnswer): ImageRecord => ({
  ...noImageExtensions,
  ...answer,
})

/** Returns a video as a record among images. */
export const imageOfVideo = (video: VideoRecord): ImageRecord => {
  const { video_name, video_url, video_origin, video_category, video_subfolder, ...shared } = video
  const { duration, fps, codec, has_sound, poster_ms, ...record } = shared
  return {
    ...noImageExtensions,
    ...record,
    image_name: video_name,
    image_url: video_url,
    image_origin: video_origin,
    image_category: video_category,
    image_subfolder: video_subfolder,
    media_type: video.media_type ?? 'video/mp4',
    video: { duration, fps, codec, has_sound, poster_ms },
  }
}

/** The record of a video as far as a list of an InvokeAI tells it. */
export const imageOfItem = (item: GalleryItem): ImageRecord => ({
  ...noImageExtensions,
  image_name: item.name,
  image_url: item.full_url,
  thumbnail_url: item.thumbnail_url,
  image_origin: 'external',
  image_category: item.category,
  width: item.width,
  height: item.height,
  created_at: item.created_at,
  updated_at: item.created_at,
  deleted_at: null,
  is_intermediate: item.is_intermediate,
  session_id: null,
  node_id: null,
  starred: item.starred,
  has_workflow: false,
  board_id: item.board_id,
  image_subfolder: '',
  media_type: 'video/mp4',
  video: {
    ...{ duration: item.duration ?? 0, fps: item.fps },
    ...{ codec: null, has_sound: null, poster_ms: null },
  },
})
