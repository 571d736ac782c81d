import type { QueryClient } from '@tanstack/react-query'
import { isRefused } from '#client/errors.ts'
import type { TesseraClient } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { VideoRecord } from '#contract/videos/video.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import type { Runner } from '#gallery/api/journal/journal-types.ts'
import type { PosterRecipe } from '#gallery/api/journal/recipe.ts'
import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'
import { CHANGED, GONE } from '#gallery/api/outbox/skip-reasons.ts'
import { type ImageCache, imageKeys } from './image-cache.ts'

export interface PosterApi {
  readonly client: Pick<TesseraClient, 'videos'>
  readonly journal: Pick<Journal, 'add' | 'confirm' | 'stored' | 'undo'>
  readonly queryClient: QueryClient
  readonly imageCache: Pick<ImageCache, 'change'>
}

/**
 * Makes the frame at a time the poster of a video, shows it, and adds that to the journal.
 *
 * @param timeMs - null: the server chooses a frame.
 * @param draw - Returns the frame as an image. Called only if the server cannot decode the video.
 * @returns The Undo, once a reload does not lose it.
 */
export async function choosePoster(
  api: PosterApi,
  { image_name, file_name, video }: ImageRecord,
  timeMs: number | null,
  draw?: () => Promise<Blob>,
): Promise<() => void> {
  await setPoster(api, image_name, timeMs, draw)
  const action = { kind: 'poster', count: 1, fileName: file_name ?? image_name } as const
  const before = video?.poster_ms ?? null
  const recipe = { kind: 'poster', videoName: image_name, before, after: timeMs } as const
  const entry = api.journal.add({ action, thumbnails: [image_name], recipe }, null)
  api.journal.confirm(entry)
  await api.journal.stored()
  return () => void api.journal.undo(entry)
}

/** Returns the Undo and the Redo of a chosen poster. They leave a poster that others have changed since. */
export function runnerOfPoster(
  api: Pick<PosterApi, 'client' | 'queryClient' | 'imageCache'>,
  { videoName, before, after }: PosterRecipe,
): Runner {
  const change = async (from: number | null, to: number | null): Promise<Outcome> => {
    const failed = (reason: string) => ({ done: [], failed: [{ name: videoName, reason }] })
    const video = await api.client.videos.get(videoName)
    if (video === null || video.deleted_at !== null) return failed(GONE)
    if (video.poster_ms !== from) return failed(CHANGED.poster)
    await setPoster(api, videoName, to)
    return { done: [videoName], failed: [] }
  }
  return { undo: () => change(after, before), redo: () => change(before, after) }
}

/**
 * Sends the poster of a video that has none. The server keeps one that it has, perhaps from another browser.
 *
 * @throws {RefusedError | ConnectionError}
 */
export async function addPoster(
  api: Pick<PosterApi, 'client' | 'queryClient' | 'imageCache'>,
  videoName: string,
  picture: Blob,
): Promise<void> {
  showPoster(api, await api.client.videos.setPoster(videoName, { picture }))
}

async function setPoster(
  api: Pick<PosterApi, 'client' | 'queryClient' | 'imageCache'>,
  videoName: string,
  timeMs: number | null,
  draw?: () => Promise<Blob>,
): Promise<void> {
  const { videos } = api.client
  try {
    showPoster(api, await videos.setPoster(videoName, { timeMs }))
  } catch (error) {
    if (draw === undefined || !isRefused(error, 'cannot_draw_poster')) throw error
    showPoster(api, await videos.setPoster(videoName, { timeMs, picture: await draw() }))
  }
}

function showPoster(
  { queryClient, imageCache }: Pick<PosterApi, 'queryClient' | 'imageCache'>,
  changed: VideoRecord,
): void {
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
