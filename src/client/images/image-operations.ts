import { orIfRefused } from '#client/errors.ts'
import type { ServerOperations } from '#client/server-operations.ts'
import { addressOf, relativeAddress } from '#client/transport/address.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { inParts, inPartsMerged, merged } from '#client/transport/in-parts.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type {
  CopiedImagesResult,
  DeleteImagesResult,
  ImageChanges,
  ImageDays,
  ImageNamesResult,
  ImagePosition,
  ImageRecord,
  ImagesPage,
  RatedImagesResult,
  StarredImagesResult,
  TaggedImagesResult,
  UnstarredImagesResult,
} from '#contract/image.ts'
import {
  addImagesToBoard,
  copyImages,
  deleteImages,
  deleteUncategorizedImages,
  getFullImage,
  getImage,
  getImageMetadata,
  getImagePosition,
  getImageWorkflow,
  getThumbnail,
  listImageDays,
  listImageFacets,
  listImageInsights,
  listImageMetadata,
  listImageNames,
  listImageRatios,
  listImages,
  listImagesByNames,
  rateImages,
  removeImagesFromBoard,
  starImages,
  tagImages,
  unstarImages,
  updateImage,
} from '#contract/image-operations.ts'
import type { ImageRatios } from '#contract/image-ratios.ts'
import {
  INVOKEAI_LIMITS,
  MAX_METADATA_NAMES,
  MAX_NAMES_PER_REQUEST,
  MAX_TAGGINGS_PER_REQUEST,
} from '#contract/limits.ts'
import type { ImageWorkflow, NormalMetadata } from '#contract/metadata.ts'
import type { FacetKey, ImageFacets } from '#contract/search/facets.ts'
import type { ImageInsights, InsightKey } from '#contract/search/insights.ts'
import type { Capabilities } from '#contract/server/app-operations.ts'
import type { VideoChanges } from '#contract/videos/video.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import { getFullVideo, getVideoThumbnail } from '#contract/videos/video-operations.ts'
import { imageOfAnswer, imageOfVideo } from './image-records.ts'
import { type ImageView, type ImageWindow, queryOfView } from './image-view.ts'
import { byKind, ItemsOfInvokeAi } from './items-of-invokeai.ts'
import { normalMetadataOf } from './normal-metadata.ts'
import type { VideoOperations } from './video-operations.ts'

/** Result of moving images to a board or making them uncategorized. */
export interface MoveImagesResult {
  /** Ids of the boards that gained or lost images, without duplicates; `none` for uncategorized. */
  readonly affected_boards: string[]
  /** Names of the images that are now on the target board. Unknown names are omitted. */
  readonly moved_images: string[]
}

/**
 * Image requests. On a server with videos (`limits.max_video_bytes`) they take the names of videos too, and a view
 * contains videos if its `kind` asks for them. Bulk requests count against the limit for batch operations. Lists longer than
 * `limits.max_names_per_request` of the capabilities (50,000; InvokeAI: 1,000) are sent in several sequential
 * requests. If one of them fails, the previous ones have taken effect.
 */
export class ImageOperations {
  readonly #http: Http
  readonly #server: ServerOperations
  readonly #ofInvokeAi: ItemsOfInvokeAi
  readonly #videos: VideoOperations

  /** @internal */
  constructor(http: Http, server: ServerOperations, videos: VideoOperations) {
    this.#http = http
    this.#server = server
    this.#videos = videos
    this.#ofInvokeAi = new ItemsOfInvokeAi(http, videos)
  }

  /** True for names that need the routes of videos. Looks at long lists only where it matters. */
  async #areApart(names: readonly string[]): Promise<boolean> {
    const { known } = this.#server
    if (known !== null && !hasVideosApart(known)) return false
    return names.some(isVideoName) && hasVideosApart(await this.#server.capabilities())
  }

  /** Changes the images of a list by one request and its videos by another, and joins their results. */
  async #byKind<R extends Record<string, string[]>>(
    names: readonly string[],
    ofImages: (images: string[]) => Promise<R>,
    ofVideos: (videos: string[]) => Promise<R>,
  ): Promise<R> {
    const { images, videos } = byKind(names)
    const result = await ofVideos(videos)
    return images.length === 0 ? result : merged([result, await ofImages(images)])
  }

  /**
   * Reads a part of a view, and the total number of its images. InvokeAI returns at most 1,000 rows at a time,
   * so longer windows are read in several requests.
   *
   * @param window - `limit` 0 reads only the total; -1 reads all images.
   * @throws {RefusedError} The server refused the view or the window.
   */
  async page(view: ImageView, window: ImageWindow, options: CallOptions = {}): Promise<ImagesPage> {
    const { limit, offset = 0 } = window
    const isShort = limit >= 0 && limit <= INVOKEAI_LIMITS.rowsPerRequest
    const maxRows = isShort ? undefined : (await this.#limits()).max_rows_per_request
    if (maxRows === undefined) return this.#page(view, window, options)
    const wanted = limit < 0 ? Number.POSITIVE_INFINITY : limit
    // Indexed by name: an image that is added in between shifts others into the next request.
    const items = new Map<string, ImageRecord>()
    for (let read = 0; ; read += maxRows) {
      const rows = Math.min(maxRows, wanted - read)
      const part = await this.#page(view, { offset: offset + read, limit: rows }, options)
      for (const image of part.items) items.set(image.image_name, image)
      const isLast = part.items.length < rows || read + rows >= wanted
      if (isLast) return { limit, offset, total: part.total, items: [...items.values()] }
    }
  }

  /** Asks for the usual page before the server is known, so that the first one arrives without a detour. */
  async #page(view: ImageView, window: ImageWindow, options: CallOptions): Promise<ImagesPage> {
    const { kind = 'image' } = view
    if (kind === 'image') return this.#pageOfImages(view, window, options)
    const first = this.#server.known ? null : this.#pageOfImages(view, window, options)
    const [answer, server] = await Promise.all([first, this.#server.capabilities()])
    if (!hasVideosApart(server)) return answer ?? this.#pageOfImages(view, window, options)
    return this.#ofInvokeAi.page(view, window, {
      ...options,
      images: (part) =>
        answer ? Promise.resolve(answer) : this.#pageOfImages(view, part, options),
      records: (names) => this.getMany(names, options),
    })
  }

  async #pageOfImages(
    view: ImageView,
    window: ImageWindow,
    options: CallOptions,
  ): Promise<ImagesPage> {
    const { limit, offset, after } = window
    const query = { ...queryOfView(view), limit, offset, after }
    const page = await this.#http.call(listImages, { query, ...options })
    return { ...page, items: page.items.map(imageOfAnswer) }
  }

  async #limits(): Promise<Capabilities['limits']> {
    return (await this.#server.capabilities()).limits
  }

  /** Sends names in as many requests as the limits require. Short lists are sent without reading the limits. */
  async #inParts<R extends Record<string, string[]>>(
    imageNames: readonly string[],
    send: (image_names: string[]) => Promise<R>,
  ): Promise<R> {
    const { names, size } = await this.#fitting(imageNames)
    return inPartsMerged(names, send, size)
  }

  /** Returns how many names fit in one request, and the names without those longer than any image's name. */
  async #fitting(
    imageNames: readonly string[],
  ): Promise<{ names: readonly string[]; size: number }> {
    const { namesPerRequest, nameLength } = INVOKEAI_LIMITS
    const isShort = imageNames.length <= namesPerRequest
    if (isShort && imageNames.every((name) => name.length <= nameLength)) {
      return { names: imageNames, size: namesPerRequest }
    }
    const { max_names_per_request: size, max_name_length } = await this.#limits()
    const names =
      max_name_length === undefined
        ? imageNames
        : imageNames.filter((name) => name.length <= max_name_length)
    return { names, size }
  }

  /** Counts the images of a view. */
  async count(view: ImageView, options: CallOptions = {}): Promise<number> {
    return (await this.page(view, { offset: 0, limit: 0 }, options)).total
  }

  /** Lists all image names of a view, in its order. */
  async names(view: ImageView, options: CallOptions = {}): Promise<ImageNamesResult> {
    const { kind = 'image' } = view
    if (kind !== 'image' && hasVideosApart(await this.#server.capabilities()))
      return this.#ofInvokeAi.names(view, options)
    return this.#http.call(listImageNames, { query: queryOfView(view), ...options })
  }

  /**
   * Counts the images of each day of a view, in its order (extension `image_days`). Days without images are
   * omitted. Starred images that come first precede all days, so `starred_count` plus the counts of the
   * previous days is the position of a day's first image.
   *
   * @param view - Must be ordered by `created_at` or `taken_at`.
   * @param options.timeZone - IANA name of the time zone that defines the days. The default is `UTC`.
   * @throws {RangeError} The view has another order. Nothing was sent.
   * @throws {RefusedError} `unknown_time_zone`; `not_found` from a server without the extension.
   */
  async days(
    view: ImageView,
    options: CallOptions & { readonly timeZone?: string | undefined } = {},
  ): Promise<ImageDays> {
    const { timeZone, ...call } = options
    const { order_by, ...rest } = queryOfView(view)
    if (order_by !== undefined && order_by !== 'created_at' && order_by !== 'taken_at') {
      throw new RangeError(`a view that is ordered by ${order_by} has no days`)
    }
    const query = { ...rest, order_by, time_zone: timeZone }
    return this.#http.call(listImageDays, { query, ...call })
  }

  /**
   * Counts the values of properties of the images of a view, such as their models (extension `search_conditions`).
   *
   * @param options.alternatives - True, the default: conditions of the search on a property do not limit its own values.
   * @param options.text - Only values that contain this text.
   * @param options.limit - Maximum number of values of each property. The default is 20.
   * @param options.timeZone - IANA name of the time zone that defines the months. The default is UTC.
   * @throws {RefusedError} `unknown_time_zone`; `not_found` from a server without the extension.
   * @example
   * const { facets } = await images.facets({ query: 'steps>20' }, { facets: ['model', 'lora'] })
   */
  facets(
    view: ImageView,
    options: CallOptions & {
      readonly facets: readonly FacetKey[]
      readonly alternatives?: boolean | undefined
      readonly text?: string | undefined
      readonly limit?: number | undefined
      readonly timeZone?: string | undefined
    },
  ): Promise<ImageFacets> {
    const { facets, timeZone, alternatives, text, limit, ...call } = options
    const part = { facets: [...facets], alternatives, text, limit, time_zone: timeZone }
    return this.#http.call(listImageFacets, { query: { ...queryOfView(view), ...part }, ...call })
  }

  /**
   * Sums up the images of a view: their storage by board and format, the words of their prompts, and the seeds that
   * several of them have (extension `image_insights`). `read_count` of the words is smaller than `prompt_count` if only a
   * sample was read.
   *
   * @param options.limit - Maximum number of values of each list. The default is 20.
   * @throws {RefusedError} `not_found` from a server without the extension.
   * @example
   * const { storage } = await images.insights({ query: 'model:flux' }, { insights: ['storage'] })
   */
  insights(
    view: ImageView,
    options: CallOptions & {
      readonly insights: readonly InsightKey[]
      readonly limit?: number | undefined
    },
  ): Promise<ImageInsights> {
    const { insights, limit, ...call } = options
    const query = { ...queryOfView(view), insights: [...insights], limit }
    return this.#http.call(listImageInsights, { query, ...call })
  }

  /**
   * Sums the ratios of width to height of a view in its order, 200 images per sum (extension `image_ratios`).
   *
   * @param options.timeZone - IANA name of the time zone whose days divide a view that is ordered by date. Default: the
   * view is not divided.
   * @throws {RefusedError} `unknown_time_zone`; `not_found` from a server without the extension.
   */
  ratios(
    view: ImageView,
    options: CallOptions & { readonly timeZone?: string | undefined } = {},
  ): Promise<ImageRatios> {
    const { timeZone, ...call } = options
    const query = { ...queryOfView(view), time_zone: timeZone }
    return this.#http.call(listImageRatios, { query, ...call })
  }

  /**
   * Yields the records of all images of a view, in its order. Reads the names first and then the records in
   * pages, so that changes during the loop neither skip nor repeat an image. Deleted images are omitted.
   *
   * @param options.pageSize - Number of records per request. The default is 500.
   * @example
   * for await (const image of images.all({ boardId })) console.log(image.image_name, image.file_size)
   */
  async *all(
    view: ImageView,
    options: CallOptions & { readonly pageSize?: number | undefined } = {},
  ): AsyncGenerator<ImageRecord> {
    const { pageSize = 500, ...call } = options
    const { image_names } = await this.names(view, call)
    for (let from = 0; from < image_names.length; from += pageSize) {
      yield* await this.getMany(image_names.slice(from, from + pageSize), call)
    }
  }

  /** Reads the zero-based position of an image in a view (extension `image_position`). */
  position(view: ImageView, imageName: string, options: CallOptions = {}): Promise<ImagePosition> {
    const params = { image_name: imageName }
    return this.#http.call(getImagePosition, { params, query: queryOfView(view), ...options })
  }

  /** Reads the record of one image. Returns null if no image has this name. */
  async get(imageName: string, options: CallOptions = {}): Promise<ImageRecord | null> {
    if (await this.#areApart([imageName])) {
      const [video = null] = await this.#ofInvokeAi.records([imageName], options)
      return video
    }
    const params = { image_name: imageName }
    const call = this.#http.call(getImage, { params, query: kindOf([imageName]), ...options })
    return orIfRefused(call.then(imageOfAnswer), null, 404)
  }

  /** Reads the records of the named images, in the order of the names. Unknown names are omitted. */
  async getMany(imageNames: readonly string[], options: CallOptions = {}): Promise<ImageRecord[]> {
    if (await this.#areApart(imageNames)) {
      const { images, videos } = byKind(imageNames)
      const parts = await Promise.all([
        images.length === 0 ? [] : this.getMany(images, options),
        this.#ofInvokeAi.records(videos, options),
      ])
      const known = new Map(parts.flat().map((record) => [record.image_name, record]))
      return imageNames.flatMap((name) => known.get(name) ?? [])
    }
    const { names, size } = await this.#fitting(imageNames)
    const ask = (image_names: string[]) =>
      this.#http.call(listImagesByNames, { ...namesOf(image_names), ...options })
    const parts = await inParts(names, ask, size)
    return parts.flat().map(imageOfAnswer)
  }

  /**
   * Changes the given properties of an image.
   *
   * @returns The updated record.
   * @throws {RefusedError} `image_update_failed`: no image has this name.
   */
  async update(
    imageName: string,
    changes: ImageChanges,
    options: CallOptions = {},
  ): Promise<ImageRecord> {
    if (await this.#areApart([imageName]))
      return imageOfVideo(await this.#videos.update(imageName, videoChangesOf(changes), options))
    const params = { image_name: imageName }
    const query = kindOf([imageName])
    const call = this.#http.call(updateImage, { params, query, body: changes, ...options })
    return imageOfAnswer(await call)
  }

  /** Stars the named images. Unknown names are omitted from the result. */
  async star(
    imageNames: readonly string[],
    options: CallOptions = {},
  ): Promise<StarredImagesResult> {
    if (await this.#areApart(imageNames)) {
      const ofImages = (images: string[]) => this.star(images, options)
      return this.#byKind(imageNames, ofImages, async (videos) => {
        const result = await this.#videos.star(videos, options)
        const { affected_boards, starred_videos: starred_images, failed_videos } = result
        return { affected_boards, starred_images, failed_images: failed_videos }
      })
    }
    const result = await this.#inParts(imageNames, (image_names) =>
      this.#http.call(starImages, { ...namesOf(image_names), ...options }),
    )
    return withFailedImages(result)
  }

  /** Removes the star from the named images. Unknown names are omitted from the result. */
  async unstar(
    imageNames: readonly string[],
    options: CallOptions = {},
  ): Promise<UnstarredImagesResult> {
    if (await this.#areApart(imageNames)) {
      const ofImages = (images: string[]) => this.unstar(images, options)
      return this.#byKind(imageNames, ofImages, async (videos) => {
        const result = await this.#videos.unstar(videos, options)
        const { affected_boards, unstarred_videos: unstarred_images, failed_videos } = result
        return { affected_boards, unstarred_images, failed_images: failed_videos }
      })
    }
    const result = await this.#inParts(imageNames, (image_names) =>
      this.#http.call(unstarImages, { ...namesOf(image_names), ...options }),
    )
    return withFailedImages(result)
  }

  /**
   * Rates the named images from 1 to 5, or removes their rating with 0 (extension `ratings`). Unknown names are omitted
   * from the result.
   *
   * @returns The images whose rating changed, and what it was, for an undo.
   */
  rate(
    imageNames: readonly string[],
    rating: number,
    options: CallOptions = {},
  ): Promise<RatedImagesResult> {
    const send = (image_names: string[]) =>
      this.#http.call(rateImages, { body: { image_names, rating }, ...options })
    return inPartsMerged(imageNames, send, MAX_NAMES_PER_REQUEST)
  }

  /**
   * Adds tags to the named images and removes tags (extension `tags`). Unknown names are omitted from the result.
   *
   * @param tags - Names such as `keep` or `people/anna`, at most 50 of each kind.
   * @returns Only what changed, so that the reverse call is an undo.
   * @throws {RefusedError} `invalid_tag`, `too_many_tags`. Nothing was changed.
   * @example
   * const { added } = await client.images.tag(names, { add: ['keep'] })
   * for (const { tag, image_names } of added) await client.images.tag(image_names, { remove: [tag] })
   */
  tag(
    imageNames: readonly string[],
    tags: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
    options: CallOptions = {},
  ): Promise<TaggedImagesResult> {
    const body = { add: [...(tags.add ?? [])], remove: [...(tags.remove ?? [])] }
    const send = (image_names: string[]) =>
      this.#http.call(tagImages, { body: { image_names, ...body }, ...options })
    const most = MAX_TAGGINGS_PER_REQUEST / (body.add.length + body.remove.length)
    return inPartsMerged(imageNames, send, Math.min(Math.floor(most), MAX_NAMES_PER_REQUEST))
  }

  /**
   * Moves the named images to a board; `none` makes them uncategorized.
   *
   * @throws {RefusedError} `board_not_found`. Nothing was moved.
   */
  async move(
    imageNames: readonly string[],
    boardId: string,
    options: CallOptions = {},
  ): Promise<MoveImagesResult> {
    if (await this.#areApart(imageNames)) {
      return this.#byKind(
        imageNames,
        async (images) => ({ ...(await this.move(images, boardId, options)) }),
        (videos) => this.#ofInvokeAi.move(videos, boardId, options),
      )
    }
    if (boardId === UNCATEGORIZED_BOARD_ID) {
      const removed = await this.#inParts(imageNames, (image_names) =>
        this.#http.call(removeImagesFromBoard, { ...namesOf(image_names), ...options }),
      )
      return { affected_boards: removed.affected_boards, moved_images: removed.removed_images }
    }
    const added = await this.#inParts(imageNames, (image_names) => {
      const { query, body } = namesOf(image_names)
      return this.#http.call(addImagesToBoard, {
        query,
        body: { board_id: boardId, ...body },
        ...options,
      })
    })
    return { affected_boards: added.affected_boards, moved_images: added.added_images }
  }

  /**
   * Copies the named images to a board, `none` for uncategorized (extension `copies`). A copy has the same
   * bytes, file name, dates, metadata, workflow and star as its original, and a new name. Copies are created in
   * the order of the names, so the last one is the newest.
   *
   * @returns The copies with the names of their originals. `failed_images` has unknown names, trashed images,
   *   and the remaining names if the server had to stop; retry these to get the reason.
   * @throws {RefusedError} `board_not_found`, `disk_full`: nothing was copied. `not_found` from a server
   *   without the extension.
   * @throws {ConnectionError} No response arrived. Some or all of the copies may exist.
   * @example
   * const { copied_images } = await client.images.copy(['01a203d6….png'], boardId)
   */
  async copy(
    imageNames: readonly string[],
    boardId: string,
    options: CallOptions = {},
  ): Promise<CopiedImagesResult> {
    const send = (image_names: string[]) =>
      this.#http.call(copyImages, { body: { board_id: boardId, image_names }, ...options })
    const answers = await inParts(imageNames, send, MAX_NAMES_PER_REQUEST)
    return {
      affected_boards: [...new Set(answers.flatMap((answer) => answer.affected_boards))],
      copied_images: answers.flatMap((answer) => answer.copied_images),
      failed_images: [...new Set(answers.flatMap((answer) => answer.failed_images))],
    }
  }

  /** Deletes the named images permanently. Unknown names are omitted from the result. */
  async delete(
    imageNames: readonly string[],
    options: CallOptions = {},
  ): Promise<DeleteImagesResult> {
    if (await this.#areApart(imageNames)) {
      const ofImages = (images: string[]) => this.delete(images, options)
      return this.#byKind(imageNames, ofImages, async (videos) => {
        const result = await this.#videos.delete(videos, options)
        const { affected_boards, deleted_videos: deleted_images, failed_videos } = result
        return { affected_boards, deleted_images, failed_images: failed_videos }
      })
    }
    const result = await this.#inParts(imageNames, (image_names) =>
      this.#http.call(deleteImages, { ...namesOf(image_names), ...options }),
    )
    return withFailedImages(result)
  }

  /** Deletes all uncategorized images permanently, including intermediates. */
  async deleteUncategorized(options: CallOptions = {}): Promise<DeleteImagesResult> {
    return withFailedImages(await this.#http.call(deleteUncategorizedImages, options))
  }

  /** Reads the generation and camera metadata in the normal form. Returns null if the file has none. */
  async metadata(imageName: string, options: CallOptions = {}): Promise<NormalMetadata | null> {
    if (await this.#areApart([imageName]))
      return normalMetadataOf(await this.#videos.metadata(imageName, options))
    const params = { image_name: imageName }
    const query = { form: 'normal' as const, ...kindOf([imageName]) }
    return normalMetadataOf(await this.#http.call(getImageMetadata, { params, query, ...options }))
  }

  /**
   * Reads the metadata of several images, 100 per request (extension `image_metadata_by_names`). `raw` is
   * empty; {@link metadata} includes it. Unknown names are omitted.
   */
  async metadataByNames(
    imageNames: readonly string[],
    options: CallOptions = {},
  ): Promise<Map<string, NormalMetadata | null>> {
    const ask = (image_names: string[]) =>
      this.#http.call(listImageMetadata, { body: { image_names }, ...options })
    const parts = await inParts(imageNames, ask, MAX_METADATA_NAMES)
    return new Map(parts.flat().map(({ image_name, metadata }) => [image_name, metadata]))
  }

  /** Reads the embedded workflow and graph of an image, as JSON text. */
  async workflow(imageName: string, options: CallOptions = {}): Promise<ImageWorkflow> {
    if (await this.#areApart([imageName])) return this.#videos.workflow(imageName, options)
    const params = { image_name: imageName }
    return this.#http.call(getImageWorkflow, { params, query: kindOf([imageName]), ...options })
  }

  /**
   * Downloads an image as a stream, for files that should not be in memory at once.
   *
   * @param options.fullResolution - False downloads the thumbnail. The default is true.
   * @throws {RefusedError} `image_not_found`.
   * @example
   * await writeFile('cat.png', await images.stream(image_name))
   */
  stream(
    imageName: string,
    options: CallOptions & { readonly fullResolution?: boolean | undefined } = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const { fullResolution = true, ...call } = options
    if (isVideoName(imageName)) {
      const params = { video_name: imageName }
      return fullResolution
        ? this.#http.stream(getFullVideo, { params, ...call })
        : this.#http.stream(getVideoThumbnail, { params, ...call })
    }
    const params = { image_name: imageName }
    return fullResolution
      ? this.#http.stream(getFullImage, { params, ...call })
      : this.#http.stream(getThumbnail, { params, ...call })
  }

  /** Returns the URL of the full-resolution image. */
  fullUrl(image: Pick<ImageRecord, 'image_url'>): string {
    return relativeAddress(this.#http.baseUrl, image.image_url)
  }

  /** Returns a URL from which a browser saves the file under its original file name. */
  downloadUrl(imageName: string): string {
    const query = { download: true }
    const { baseUrl } = this.#http
    return isVideoName(imageName)
      ? addressOf(baseUrl, getFullVideo, { params: { video_name: imageName }, query })
      : addressOf(baseUrl, getFullImage, { params: { image_name: imageName }, query })
  }

  /**
   * Returns the URL of a thumbnail.
   *
   * @param sizePx - Minimum length of the longest side in pixels. Selects the smallest thumbnail that reaches
   *   it, else the largest. It has an effect only after a `capabilities` call, on servers with several sizes.
   */
  thumbnailUrl(image: Pick<ImageRecord, 'thumbnail_url'>, sizePx = 0): string {
    const url = relativeAddress(this.#http.baseUrl, image.thumbnail_url)
    const sizes = this.#server.known?.thumbnail_sizes ?? []
    const size = sizes.find((one) => one >= sizePx) ?? sizes.at(-1)
    // Every server returns the first size by default. Omit it, so that the thumbnail has one URL
    // and is cached once.
    if (size === undefined || size === sizes[0]) return url
    return `${url}${url.includes('?') ? '&' : '?'}size=${size}`
  }
}

/** Names of videos are known only to requests that ask for them. InvokeAI ignores the key. */
const kindOf = (names: readonly string[]) =>
  names.some(isVideoName) ? { kind: 'all' as const } : {}

const namesOf = (image_names: string[]) => ({ query: kindOf(image_names), body: { image_names } })

/** The changes of an image as those of a video. */
const videoChangesOf = ({ image_category, ...changes }: ImageChanges): VideoChanges => ({
  ...changes,
  ...(image_category !== undefined && { video_category: image_category }),
})

/** True for an InvokeAI with videos, whose routes of images do not know them. */
const hasVideosApart = ({ server, limits }: Capabilities): boolean =>
  server === 'invokeai' && limits.max_video_bytes !== undefined

/** Adds `failed_images`, which InvokeAI before 6.14 omits. */
const withFailedImages = <T extends object>(
  result: T & { failed_images?: string[] },
): T & { failed_images: string[] } => ({ ...result, failed_images: result.failed_images ?? [] })
