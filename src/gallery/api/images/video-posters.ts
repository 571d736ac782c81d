import type { QueryClient } from '@tanstack/react-query'
import { isRefused } from '#client/errors.ts'
import type { TesseraClient } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { VideoRecord } from '#contract/videos/video.ts'
import { type ImageCache, imageKeys } from './image-cache.ts'

export interface PosterApi {
  readonly client: Pick<TesseraClient, 'videos'>
  readonly queryClient: QueryClient
  readonly imageCache: Pick<ImageCache, 'change'>
}

/**
 * Makes the frame at a time the poster of a video, and shows it.
 *
 * @param timeMs - null: the server chooses a frame.
 * @param draw - Returns the frame as an image. Called only if the server cannot decode the video.
 */
export async function choosePoster(
  api: PosterApi,
  videoName: string,
  timeMs: number | null,
  draw?: (() => Promise<Blob>) | undefined,
): Promise<void> {
  const { videos } = api.client
  try {
    showPoster(api, await videos.setPoster(videoName, { timeMs }))
  } catch (error) {
    if (draw === undefined || !isRefused(error, 'cannot_draw_poster')) throw error
    showPoster(api, await videos.setPoster(videoName, { timeMs, picture: await draw() }))
  }
}

function showPoster({ queryClient, imageCache }: PosterApi, changed: VideoRecord): void {
  const { video_name, thumbnail_url, thumbhash, updated_at, ...rest } = changed
  const { duration, fps, codec, has_sound, poster_ms } = rest
  const video = { duration, fps, codec, has_sound, poster_ms }
  const change = { thumbnail_url, thumbhash, updated_at, video }
  imageCache.change([video_name], change).settle()
  queryClient.setQueryData<ImageRecord | null>(
    imageKeys.record(video_name),
    (record) => record && { ...record, ...change },
  )
}
