import { STRIP_FRAME_PX, THUMBNAIL_SIZES } from '#contract/limits.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import type { ImageRecords, VideoRecords } from './image-ports.ts'
import type { OriginalCheck } from './original-check.ts'
import type { ImageCodec } from './picture-ports.ts'

export interface ThumbnailParts {
  images: Pick<ImageRecords, 'get' | 'isThere'>
  videos: Pick<VideoRecords, 'get'>
  files: Pick<ImageFiles, 'local'>
  originals: Pick<OriginalCheck, 'isWhole'>
  codec: Pick<ImageCodec, 'thumbnail' | 'strip'>
  thumbnails: ThumbnailFiles
}

/** Videos whose failed decoding is remembered. */
const MAX_WITHOUT_STRIP = 1_000

/** Returns stored thumbnails and strips of frames. Makes missing ones on the first request. */
export class ThumbnailService {
  readonly #parts: ThumbnailParts
  readonly #active = new Map<string, Promise<Uint8Array>>()
  readonly #replaced = new Map<string, Promise<unknown>>()
  readonly #withoutStrip = new Set<string>()

  constructor(parts: ThumbnailParts) {
    this.#parts = parts
  }

  /**
   * Returns a thumbnail (WebP). Makes a missing one from the original, once for all concurrent requests.
   *
   * @param sizePx - Longest side, one of `THUMBNAIL_SIZES`.
   * @throws {Refusal} `image_not_found`; `damaged_image` if the original has changed or cannot be read.
   */
  async get(imageName: string, sizePx: number = THUMBNAIL_SIZES[0]): Promise<Uint8Array> {
    await this.#replaced.get(imageName)?.catch(() => undefined)
    const existing = await this.#parts.thumbnails.read(imageName, sizePx)
    if (existing !== null) return existing
    return this.#once(`${sizePx}/${imageName}`, () => this.#make(imageName, sizePx))
  }

  /**
   * Returns the strip of a video (WebP). Makes a missing one from the original, once for all concurrent requests.
   *
   * @throws {Refusal} `video_not_found`; `no_strip` if this server cannot decode the video.
   */
  async strip(videoName: string): Promise<Uint8Array> {
    if (this.#withoutStrip.has(videoName)) throw new Refusal('no_strip')
    const existing = await this.#parts.thumbnails.read(videoName, STRIP_FRAME_PX)
    if (existing !== null) return existing
    return this.#once(`strip/${videoName}`, () => this.#makeStrip(videoName))
  }

  /**
   * Replaces the thumbnails of a video that gets another poster. Requests wait for the new ones, and further calls for the
   * same video for this one.
   *
   * @param posterMs - As in `VideoRecord`, after `commit`.
   * @param pictures - WebPs by size. Missing sizes are made on the first request.
   * @param commit - Records the new poster. null: there is no such video.
   */
  async replace<T>(
    videoName: string,
    posterMs: number | null,
    pictures: ReadonlyMap<number, Uint8Array>,
    commit: () => Promise<T | null>,
  ): Promise<T | null> {
    const before = this.#replaced.get(videoName)?.catch(() => undefined)
    const work = (async () => {
      await before
      return this.#replace(videoName, posterMs, pictures, commit)
    })()
    this.#replaced.set(videoName, work)
    try {
      return await work
    } finally {
      if (this.#replaced.get(videoName) === work) this.#replaced.delete(videoName)
    }
  }

  async #replace<T>(
    videoName: string,
    posterMs: number | null,
    pictures: ReadonlyMap<number, Uint8Array>,
    commit: () => Promise<T | null>,
  ): Promise<T | null> {
    const { thumbnails } = this.#parts
    // First, so that a crash leaves no thumbnails of another poster.
    await thumbnails.remove([videoName])
    const committed = await commit()
    if (committed === null) return null
    await thumbnails.remove([videoName])
    for (const [size, webp] of pictures) await thumbnails.write(videoName, size, webp)
    // Another process may have changed it too.
    if (!(await this.#isPoster(videoName, posterMs))) await thumbnails.remove([videoName])
    return committed
  }

  /** Shares the work of concurrent calls with the same key. */
  #once(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const making = this.#active.get(key) ?? make().finally(() => this.#active.delete(key))
    this.#active.set(key, making)
    return making
  }

  async #makeStrip(videoName: string): Promise<Uint8Array> {
    const { files, originals, codec, thumbnails } = this.#parts
    const original = orRefuse(await this.#originalOf(videoName), 'video_not_found')
    if (!(await originals.isWhole(original))) throw new Refusal('no_strip')
    await using file = orRefuse(await files.local(videoName), 'video_not_found')
    const webp = await codec.strip(file.path).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'damaged_image')) throw error
      if (this.#withoutStrip.size === MAX_WITHOUT_STRIP) this.#withoutStrip.clear()
      this.#withoutStrip.add(videoName)
      throw new Refusal('no_strip', undefined, { cause: error })
    })
    await thumbnails.write(videoName, STRIP_FRAME_PX, webp)
    await this.#assertStillThere(videoName)
    return webp
  }

  /** Removes the thumbnails of an image that was deleted while they were made, because nothing else would remove them. */
  async #assertStillThere(imageName: string): Promise<void> {
    const { images, thumbnails } = this.#parts
    if (await images.isThere(imageName)) return
    await thumbnails.remove([imageName])
    throw new Refusal('image_not_found')
  }

  async #make(imageName: string, sizePx: number): Promise<Uint8Array> {
    const { files, originals, codec, thumbnails } = this.#parts
    const original = orRefuse(await this.#originalOf(imageName), 'image_not_found')
    if (!(await originals.isWhole(original))) throw new Refusal('damaged_image')
    await using file = orRefuse(await files.local(imageName), 'image_not_found')
    const { posterMs } = original
    const kind = isVideoName(imageName) ? 'video' : 'image'
    const webp = await codec.thumbnail(file.path, sizePx, kind, posterMs)
    await thumbnails.write(imageName, sizePx, webp)
    if (kind === 'video' && !(await this.#isPoster(imageName, posterMs))) {
      await thumbnails.remove([imageName])
      return this.#make(imageName, sizePx)
    }
    await this.#assertStillThere(imageName)
    return webp
  }

  async #originalOf(name: string) {
    const { images, videos } = this.#parts
    if (!isVideoName(name)) {
      const image = await images.get(name)
      return image && { ...image, posterMs: null }
    }
    const video = await videos.get(name)
    return video && { ...video, image_name: name, posterMs: video.poster_ms }
  }

  /** False if another poster was chosen, perhaps by another process of this library. True for an unknown video. */
  async #isPoster(name: string, posterMs: number | null): Promise<boolean> {
    const video = await this.#parts.videos.get(name)
    return video === null || video.poster_ms === posterMs
  }
}
