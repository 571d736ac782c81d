import { orIfRefused } from '#client/errors.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { listGalleryItemNames, listGalleryItems } from '#contract/gallery-operations.ts'
import type { ImageNamesResult, ImageRecord, ImagesPage } from '#contract/image.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import { imageOfItem, imageOfVideo } from './image-records.ts'
import { type ImageView, queryOfView } from './image-view.ts'
import type { VideoOperations } from './video-operations.ts'

/** Requests for single videos at the same time. InvokeAI has none for several records. */
const RECORDS_AT_ONCE = 6

type Parts = CallOptions & {
  /** Reads a page of images. */
  readonly images: (window: { offset: number; limit: number }) => Promise<ImagesPage>
  /** Reads records of images. */
  readonly records: (names: readonly string[]) => Promise<ImageRecord[]>
}

/** Lists the images and videos of an InvokeAI together. It has separate routes for both, and short records of all. */
export class ItemsOfInvokeAi {
  readonly #http: Http
  readonly #videos: VideoOperations

  constructor(http: Http, videos: VideoOperations) {
    this.#http = http
    this.#videos = videos
  }

  async page(
    view: ImageView,
    { offset = 0, limit }: { offset?: number | undefined; limit: number },
    { images, records, ...call }: Parts,
  ): Promise<ImagesPage> {
    if (view.kind === 'video') {
      const { items, ...page } = await this.#videos.page(view, { offset, limit }, call)
      return { ...page, items: items.map(imageOfVideo) }
    }
    // Without videos, which is usual, the records of the images are complete.
    const [ofImages, { total: videoCount }] = await Promise.all([
      images({ offset, limit }),
      this.#videos.page(view, { offset: 0, limit: 0 }, call),
    ])
    const total = ofImages.total + videoCount
    if (videoCount === 0 || limit === 0) return { ...ofImages, total, video_total: videoCount }
    const query = { ...this.#queryOf(view), offset, limit }
    const { items } = await this.#http.call(listGalleryItems, { query, ...call })
    const names = items.flatMap(({ kind, name }) => (kind === 'image' ? name : []))
    const found = names.length === 0 ? [] : await records(names)
    const known = new Map(found.map((record) => [record.image_name, record]))
    return {
      ...{ limit, offset, total, video_total: videoCount },
      items: items.flatMap((item) =>
        item.kind === 'video' ? imageOfItem(item) : (known.get(item.name) ?? []),
      ),
    }
  }

  async names(view: ImageView, call: CallOptions): Promise<ImageNamesResult> {
    if (view.kind === 'video') {
      const { video_names, ...counts } = await this.#videos.names(view, call)
      return { image_names: video_names, ...counts }
    }
    const query = this.#queryOf(view)
    const { item_names, ...counts } = await this.#http.call(listGalleryItemNames, {
      query,
      ...call,
    })
    return { image_names: item_names, ...counts }
  }

  /** Reads the records of named videos. Unknown names are omitted. */
  async records(names: readonly string[], call: CallOptions): Promise<ImageRecord[]> {
    const found: ImageRecord[] = []
    for (let from = 0; from < names.length; from += RECORDS_AT_ONCE) {
      const part = names.slice(from, from + RECORDS_AT_ONCE)
      const videos = await Promise.all(part.map((name) => this.#videos.get(name, call)))
      found.push(...videos.flatMap((video) => (video === null ? [] : imageOfVideo(video))))
    }
    return found
  }

  /** Moves videos one by one. A video that is gone is omitted from the result. */
  async move(names: readonly string[], boardId: string, call: CallOptions) {
    const boards = new Set<string>()
    const moved: string[] = []
    for (const name of names) {
      const moving = this.#videos.move(name, boardId, call)
      const affected = await orIfRefused(moving, null, 'video_not_added', 'video_not_found')
      if (affected === null) continue
      for (const board of affected) boards.add(board)
      moved.push(name)
    }
    return { affected_boards: [...boards], moved_images: moved }
  }

  #queryOf(view: ImageView) {
    const { image_origin: origin, kind: _, order_by: _order, ...query } = queryOfView(view)
    return { origin, ...query }
  }
}

/** Names of images, and names of videos. */
export const byKind = (names: readonly string[]) => ({
  images: names.filter((name) => !isVideoName(name)),
  videos: names.filter(isVideoName),
})
