import { ConnectionError, orIfRefused, type RefusedCode, RefusedError } from '#client/errors.ts'
import { addressOf, relativeAddress } from '#client/transport/address.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { inPartsMerged } from '#client/transport/in-parts.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { DEFAULT_IMAGE_CATEGORY } from '#contract/image.ts'
import { queryOfFilter } from '#contract/image-filter.ts'
import { INVOKEAI_LIMITS } from '#contract/limits.ts'
import type { ImageWorkflow } from '#contract/metadata.ts'
import {
  type DeleteVideosResult,
  noVideoExtensions,
  type StarredVideosResult,
  type UnstarredVideosResult,
  type VideoChanges,
  type VideoNamesResult,
  type VideoRecord,
  type VideosPage,
} from '#contract/videos/video.ts'
import {
  addVideoToBoard,
  deleteUncategorizedVideos,
  deleteVideos,
  getPlayableCopy,
  getVideo,
  getVideoMetadata,
  getVideoStrip,
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
import type { ImageView } from './image-view.ts'
import type { UploadFile, UploadOptions } from './upload-options.ts'

/** Filter and order of videos: newest first, or oldest first. */
export type VideoView = Pick<
  ImageView,
  | 'boardId'
  | 'categories'
  | 'imageOrigin'
  | 'isIntermediate'
  | 'orderDir'
  | 'searchTerm'
  | 'starredFirst'
>

/**
 * Requests for videos, which lie on the same boards as images. Lists of names are sent in several sequential requests of
 * at most 1,000.
 */
export class VideoOperations {
  readonly #http: Http

  /** @internal */
  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Uploads a video. The server answers after the video is durable.
   *
   * @throws {RefusedError} Nothing was saved; `detail` has the reason.
   */
  async upload(
    { bytes, fileName, metadata }: Pick<UploadFile, 'bytes' | 'fileName' | 'metadata'>,
    options: UploadOptions = {},
  ): Promise<VideoRecord> {
    const { boardId, imageCategory, isIntermediate, sessionId, ...call } = options
    const parts = new FormData()
    if (metadata) parts.append('metadata', JSON.stringify(metadata))
    parts.append('file', bytes, fileName ?? (bytes instanceof File ? bytes.name : 'video.mp4'))
    const query = {
      video_category: imageCategory ?? DEFAULT_IMAGE_CATEGORY,
      is_intermediate: isIntermediate ?? false,
      board_id: boardId === UNCATEGORIZED_BOARD_ID ? undefined : (boardId ?? undefined),
      session_id: sessionId ?? undefined,
    }
    return videoOfAnswer(await this.#http.call(uploadVideo, { query, parts, ...call }))
  }

  /** Reads a part of a view, and the total number of its videos. At most 1,000 at a time. */
  async page(
    view: VideoView,
    window: { readonly limit: number; readonly offset: number },
    options: CallOptions = {},
  ): Promise<VideosPage> {
    const query = { ...queryOfVideos(view), ...window }
    const page = await this.#http.call(listVideos, { query, ...options })
    return { ...page, items: page.items.map(videoOfAnswer) }
  }

  /** Lists all video names of a view, in its order. */
  names(view: VideoView, options: CallOptions = {}): Promise<VideoNamesResult> {
    return this.#http.call(listVideoNames, { query: queryOfVideos(view), ...options })
  }

  /** Reads the record of one video. Returns null if no video has this name. */
  async get(videoName: string, options: CallOptions = {}): Promise<VideoRecord | null> {
    const call = this.#http.call(getVideo, { params: { video_name: videoName }, ...options })
    return orIfRefused(call.then(videoOfAnswer), null, 404)
  }

  /**
   * Changes the given properties of a video.
   *
   * @throws {RefusedError} `video_update_failed`: no video has this name.
   */
  async update(
    videoName: string,
    changes: VideoChanges,
    options: CallOptions = {},
  ): Promise<VideoRecord> {
    const params = { video_name: videoName }
    return videoOfAnswer(await this.#http.call(updateVideo, { params, body: changes, ...options }))
  }

  /** Stars the named videos. Unknown names are omitted from the result. */
  star(videoNames: readonly string[], options: CallOptions = {}): Promise<StarredVideosResult> {
    return inVideoParts(videoNames, (video_names) =>
      this.#http.call(starVideos, { body: { video_names }, ...options }),
    )
  }

  /** Removes the star from the named videos. Unknown names are omitted from the result. */
  unstar(videoNames: readonly string[], options: CallOptions = {}): Promise<UnstarredVideosResult> {
    return inVideoParts(videoNames, (video_names) =>
      this.#http.call(unstarVideos, { body: { video_names }, ...options }),
    )
  }

  /**
   * Moves a video to a board; `none` makes it uncategorized.
   *
   * @returns The ids of the boards that gained or lost it.
   * @throws {RefusedError} `board_not_found`, `video_not_added`, `video_not_found`.
   */
  async move(videoName: string, boardId: string, options: CallOptions = {}): Promise<string[]> {
    const video = { video_name: videoName }
    const isOff = boardId === UNCATEGORIZED_BOARD_ID
    const moved = isOff
      ? await this.#http.call(removeVideoFromBoard, { body: video, ...options })
      : await this.#http.call(addVideoToBoard, {
          body: { board_id: boardId, ...video },
          ...options,
        })
    return moved.affected_boards
  }

  /** Deletes the named videos permanently. Unknown names are omitted from the result. */
  delete(videoNames: readonly string[], options: CallOptions = {}): Promise<DeleteVideosResult> {
    return inVideoParts(videoNames, (video_names) =>
      this.#http.call(deleteVideos, { body: { video_names }, ...options }),
    )
  }

  /** Deletes all uncategorized videos permanently, including intermediates. */
  deleteUncategorized(options: CallOptions = {}): Promise<DeleteVideosResult> {
    return this.#http.call(deleteUncategorizedVideos, options)
  }

  /** Reads the metadata object of the upload. Returns null if it has none. */
  metadata(videoName: string, options: CallOptions = {}): Promise<Record<string, unknown> | null> {
    return this.#http.call(getVideoMetadata, { params: { video_name: videoName }, ...options })
  }

  /** Reads the workflow and the graph as JSON texts. */
  workflow(videoName: string, options: CallOptions = {}): Promise<ImageWorkflow> {
    return this.#http.call(getVideoWorkflow, { params: { video_name: videoName }, ...options })
  }

  /** Returns the URL of the file, which answers ranges. */
  fullUrl(video: Pick<VideoRecord, 'video_url'>): string {
    return relativeAddress(this.#http.baseUrl, video.video_url)
  }

  /**
   * Makes another frame the poster of a video (extension `video_posters`).
   *
   * @param poster - `timeMs`: the time of the frame; null: the server chooses one; absent: `picture` is stored only if the
   *   video has no poster. `picture`: the frame as an image, for a server that cannot decode the video.
   * @throws {RefusedError} `video_not_found`; `cannot_draw_poster`: the server needs a picture; `file_too_large`.
   */
  async setPoster(
    videoName: string,
    { timeMs, picture }: { timeMs?: number | null; picture?: Blob },
    options: CallOptions = {},
  ): Promise<VideoRecord> {
    const body = {
      ...(timeMs !== undefined && { time_ms: timeMs }),
      ...(picture && { picture: await base64Of(picture) }),
    }
    const params = { video_name: videoName }
    return videoOfAnswer(await this.#http.call(setVideoPoster, { params, body, ...options }))
  }

  /**
   * Makes a copy that every browser can play (extension `playable_copies`), or does nothing if there is one. Leaving the
   * loop stops it.
   *
   * @returns The finished share, from 0 to 1.
   * @throws {RefusedError} `cannot_convert`, `conversion_failed`, `disk_full`.
   */
  async *makePlayable(videoName: string, options: CallOptions = {}): AsyncGenerator<number> {
    const params = { video_name: videoName }
    for await (const line of this.#http.lines(makePlayableCopy, { params, ...options })) {
      const { progress, done, refusal } = line
      if (done) return
      if (refusal !== undefined) {
        const url = addressOf(this.#http.baseUrl, makePlayableCopy, { params })
        throw new RefusedError({ ...refusal, code: refusal.code as RefusedCode, url })
      }
      yield progress ?? 0
    }
    throw new ConnectionError(addressOf(this.#http.baseUrl, makePlayableCopy, { params }))
  }

  /** Returns the URL of the playable copy, which answers 404 until `makePlayable` has ended. */
  playableUrl(video: Pick<VideoRecord, 'video_name'>): string {
    return addressOf(this.#http.baseUrl, getPlayableCopy, { params: video })
  }

  /**
   * Returns the URL of a row of `STRIP_FRAMES` frames, for pictures while seeking (extension `video_strips`). It answers
   * 404 for a video that the server cannot decode.
   */
  stripUrl(video: Pick<VideoRecord, 'video_name'>): string {
    return addressOf(this.#http.baseUrl, getVideoStrip, { params: video })
  }

  /** Returns the URL of the poster (WebP). */
  thumbnailUrl(video: Pick<VideoRecord, 'thumbnail_url'>): string {
    return relativeAddress(this.#http.baseUrl, video.thumbnail_url)
  }
}

/** Adds the fields that InvokeAI does not send. */
const videoOfAnswer = (answer: VideoRecord): VideoRecord => ({ ...noVideoExtensions, ...answer })

/** Bytes that `String.fromCharCode` takes at once, divisible by three, so that the texts can be joined. */
const BASE64_PIECE = 3 * 4096

const base64Of = async (picture: Blob): Promise<string> => {
  const bytes = new Uint8Array(await picture.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += BASE64_PIECE)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + BASE64_PIECE)))
  return text
}

const inVideoParts = <R extends Record<string, string[]>>(
  videoNames: readonly string[],
  send: (part: string[]) => Promise<R>,
) => inPartsMerged(videoNames, send, INVOKEAI_LIMITS.namesPerRequest)

const queryOfVideos = (view: VideoView) => {
  const { image_origin: video_origin, ...filter } = queryOfFilter(view)
  return {
    ...{ video_origin, ...filter },
    board_id: view.boardId,
    order_dir: view.orderDir,
    starred_first: view.starredFirst,
    search_term: view.searchTerm,
  }
}
