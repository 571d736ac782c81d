import type { ImageUrls } from '#contract/image.ts'
import { imageUrls } from '#contract/image-urls.ts'
import { pathOf } from '#contract/operation.ts'
import type { VideoUrls } from './video.ts'
import { isVideoName } from './video-formats.ts'

/** Paths of the files of a video. */
export const videoPaths = {
  full: '/api/v1/videos/i/{video_name}/full',
  thumbnail: '/api/v1/videos/i/{video_name}/thumbnail',
  poster: '/api/v1/videos/i/{video_name}/poster',
  strip: '/api/v1/videos/i/{video_name}/strip',
  playable: '/api/v1/videos/i/{video_name}/playable',
} as const

/** Returns the URLs of a video, relative to the server and without a leading slash. */
export const videoUrls = (videoName: string): VideoUrls => ({
  video_name: videoName,
  video_url: pathOf({ path: videoPaths.full }, { video_name: videoName }).slice(1),
  thumbnail_url: pathOf({ path: videoPaths.thumbnail }, { video_name: videoName }).slice(1),
})

/** Returns the URLs of an image, or of a video as the record of an image has them. */
export const itemUrls = (name: string): ImageUrls => {
  if (!isVideoName(name)) return imageUrls(name)
  const { video_url, thumbnail_url } = videoUrls(name)
  return { image_name: name, image_url: video_url, thumbnail_url }
}

/** The version of a poster: the time of the chosen frame, or `auto`. */
export const posterVersion = (posterMs: number | null): string => String(posterMs ?? 'auto')

/** Returns the URLs of an item. A chosen poster changes the URL of the thumbnail, which browsers cache for good. */
export const versionedUrls = (name: string, posterMs: number | null): ImageUrls => {
  const urls = itemUrls(name)
  if (!isVideoName(name)) return urls
  return { ...urls, thumbnail_url: `${urls.thumbnail_url}?poster=${posterVersion(posterMs)}` }
}
