import { pathOf } from '#contract/operation.ts'
import type { VideoUrls } from './video.ts'

/** Paths of the files of a video. */
export const videoPaths = {
  full: '/api/v1/videos/i/{video_name}/full',
  thumbnail: '/api/v1/videos/i/{video_name}/thumbnail',
} as const

/** Returns the URLs of a video, relative to the server and without a leading slash. */
export const videoUrls = (videoName: string): VideoUrls => ({
  video_name: videoName,
  video_url: pathOf({ path: videoPaths.full }, { video_name: videoName }).slice(1),
  thumbnail_url: pathOf({ path: videoPaths.thumbnail }, { video_name: videoName }).slice(1),
})
