import { Readable } from 'node:stream'
import { DEFAULT_PAGE_LIMIT } from '#contract/limits.ts'
import { pathOf, type QueryOf } from '#contract/operation.ts'
import type { PlayableProgress } from '#contract/videos/video.ts'
import {
  addVideoToBoard,
  deleteUncategorizedVideos,
  deleteVideo,
  deleteVideos,
  getFullVideo,
  getPlayableCopy,
  getVideo,
  getVideoMetadata,
  getVideoStrip,
  getVideoThumbnail,
  getVideoUrls,
  getVideoWorkflow,
  listVideoNames,
  listVideos,
  makePlayableCopy,
  removeVideoFromBoard,
  setVideoPoster,
  starVideos,
  unstarVideos,
  updateVideo,
  uploadVideo,
} from '#contract/videos/video-operations.ts'
import { posterVersion, videoUrls } from '#contract/videos/video-urls.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import { sendBytes } from '#server/http/bytes/send-bytes.ts'
import { sendJsonText, sendNames, toLines } from '#server/http/bytes/send-in-pieces.ts'
import { sendOriginal } from '#server/http/bytes/send-original.ts'
import { sendThumbnail } from '#server/http/bytes/send-thumbnail.ts'
import { refusalLineOf } from '#server/http/error-handler.ts'
import { defineRoute, type Route } from '#server/http/route.ts'
import { readSingleUpload } from '#server/http/uploads/read-single-upload.ts'
import { viewOf } from './view-of.ts'

/** InvokeAI's routes of videos. */
export const videoRoutes: readonly Route[] = [
  defineRoute(uploadVideo, async ({ ingest, videos, about }, { query, request, reply }) => {
    await ingest.assertBoard(query.board_id)
    const { max_upload_bytes, max_video_bytes = max_upload_bytes } = about.limits
    const { image } = await readSingleUpload(request, max_video_bytes, (file, texts) =>
      ingest.ingest({
        source: file.bytes,
        kind: 'video',
        fileName: file.fileName,
        category: query.video_category,
        isIntermediate: query.is_intermediate,
        boardId: query.board_id,
        sessionId: query.session_id ?? null,
        rest: async () => {
          const metadata = (await texts()).get('metadata') ?? null
          if (metadata !== null) assertObject(metadata)
          return { metadata }
        },
      }),
    )
    reply.header('location', pathOf(getFullVideo, { video_name: image.image_name }).slice(1))
    return videos.get(image.image_name)
  }),
  defineRoute(listVideos, async ({ videos }, { query }) => {
    const { offset = 0, limit = DEFAULT_PAGE_LIMIT } = query
    return { limit, offset, ...(await videos.page(videoViewOf(query), { offset, limit })) }
  }),
  defineRoute(listVideoNames, async ({ videos }, { query, reply }) => {
    const { video_names, ...counts } = await videos.names(videoViewOf(query))
    const after = `,${JSON.stringify(counts).slice(1)}`
    return sendNames(reply, video_names, { before: '{"video_names":', after })
  }),
  defineRoute(getVideo, ({ videos }, { params }) => videos.get(params.video_name)),
  defineRoute(getVideoMetadata, async ({ videos }, { params, reply }) =>
    sendJsonText(reply, await videos.json(params.video_name, 'invokeai')),
  ),
  defineRoute(getVideoWorkflow, async ({ videos }, { params, reply }) =>
    sendJsonText(reply, await videos.json(params.video_name, 'workflow')),
  ),
  // Unknown names have URLs too, as in InvokeAI.
  defineRoute(getVideoUrls, async (_parts, { params }) => videoUrls(params.video_name)),
  defineRoute(
    getFullVideo,
    async (parts, { params, query, request, reply }) => {
      const video = await parts.videos.get(params.video_name)
      return sendOriginal(
        parts,
        request,
        reply,
        { ...video, name: video.video_name },
        { hasOneRangeOnly: true, isDownload: query.download },
      )
    },
    { hasHead: true },
  ),
  defineRoute(getVideoThumbnail, async (parts, { params, query, request, reply }) => {
    const { poster_ms } = await parts.videos.get(params.video_name)
    return sendThumbnail(parts, request, reply, params.video_name, {
      sizePx: query.size,
      poster: { version: posterVersion(poster_ms), expected: query.poster },
    })
  }),
  defineRoute(getVideoStrip, async ({ videos, thumbnails }, { params, request, reply }) => {
    const { video_name } = await videos.get(params.video_name)
    const webp = await thumbnails.strip(video_name)
    return sendBytes(request, reply, {
      bytes: webp.length,
      read: async (range) => (range ? webp.subarray(range.start, range.end + 1) : webp),
      mediaType: 'image/webp',
      etag: `${video_name}-strip`,
    })
  }),
  defineRoute(setVideoPoster, ({ posters }, { params, body }) =>
    posters.set(params.video_name, {
      timeMs: body.time_ms,
      picture: body.picture === undefined ? null : Buffer.from(body.picture, 'base64'),
    }),
  ),
  defineRoute(makePlayableCopy, async (parts, { params, request, reply }) => {
    const video = await parts.videos.get(params.video_name)
    const playable = orRefuse(parts.playable, 'cannot_convert')
    await parts.originals.assertWhole({ ...video, image_name: video.video_name })
    const left = new AbortController()
    reply.raw.once('close', () => left.abort())
    const lines = playableLines(playable.make(video, left.signal), (error) =>
      request.log.error({ err: error }, 'a video could not be converted'),
    )
    return reply
      .code(200)
      .type('application/x-ndjson')
      .send(Readable.from(toLines(lines)))
  }),
  defineRoute(
    getPlayableCopy,
    async ({ videos, playable }, { params: { video_name }, request, reply }) => {
      await videos.get(video_name)
      const { bytes, tag } = orRefuse(await playable?.find(video_name), 'no_playable_copy')
      return sendBytes(request, reply, {
        mediaType: 'video/mp4',
        etag: tag,
        bytes,
        isRevalidated: true,
        read: async (range) => (await playable?.read(video_name, range)) ?? null,
      })
    },
    { hasHead: true },
  ),
  defineRoute(updateVideo, ({ videos }, { params, body }) =>
    videos.update(params.video_name, body),
  ),
  defineRoute(starVideos, ({ videos }, { body }) => videos.star(body.video_names)),
  defineRoute(unstarVideos, ({ videos }, { body }) => videos.unstar(body.video_names)),
  defineRoute(deleteVideo, ({ videos }, { params }) => videos.deleteOne(params.video_name)),
  defineRoute(deleteVideos, ({ videos }, { body }) => videos.delete(body.video_names)),
  defineRoute(deleteUncategorizedVideos, ({ videos }) => videos.deleteUncategorized()),
  defineRoute(addVideoToBoard, ({ videos }, { body }) =>
    videos.addToBoard(body.video_name, body.board_id),
  ),
  defineRoute(removeVideoFromBoard, ({ videos }, { body }) =>
    videos.removeFromBoard(body.video_name),
  ),
]

/** Ends the lines with the refusal of a copy that could not be made. */
async function* playableLines(
  lines: AsyncIterable<PlayableProgress>,
  onFault: (error: unknown) => void,
): AsyncGenerator<PlayableProgress> {
  try {
    yield* lines
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'conversion_failed') onFault(error)
    yield { refusal: refusalLineOf(error) }
  }
}

/** InvokeAI calls the key `video_origin` here and `image_origin` for images. */
const videoViewOf = ({ video_origin, ...query }: QueryOf<typeof listVideoNames>) =>
  viewOf({ starred_first: true, ...query, ...(video_origin && { image_origin: video_origin }) })

/** @throws {Refusal} `invalid_video_metadata`. */
const assertObject = (text: string): void => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  } catch {
    // Not JSON.
  }
  throw new Refusal('invalid_video_metadata')
}
