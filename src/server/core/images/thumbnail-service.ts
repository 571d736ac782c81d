import { THUMBNAIL_SIZES } from '#contract/limits.ts'
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
  codec: Pick<ImageCodec, 'thumbnail'>
  thumbnails: ThumbnailFiles
}

/** Returns stored thumbnails and makes missing ones on the first request. */
export class ThumbnailService {
  readonly #parts: ThumbnailParts
  readonly #active = new Map<string, Promise<Uint8Array>>()

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
    const existing = await this.#parts.thumbnails.read(imageName, sizePx)
    if (existing !== null) return existing
    const key = `${sizePx}/${imageName}`
    const making =
      this.#active.get(key) ?? this.#make(imageName, sizePx).finally(() => this.#active.delete(key))
    this.#active.set(key, making)
    return making
  }

  async #make(imageName: string, sizePx: number): Promise<Uint8Array> {
    const { images, files, originals, codec, thumbnails } = this.#parts
    const original = orRefuse(await this.#originalOf(imageName), 'image_not_found')
    if (!(await originals.isWhole(original))) throw new Refusal('damaged_image')
    await using file = orRefuse(await files.local(imageName), 'image_not_found')
    const kind = isVideoName(imageName) ? 'video' : 'image'
    const webp = await codec.thumbnail(file.path, sizePx, kind)
    await thumbnails.write(imageName, sizePx, webp)
    // Removes the thumbnail if the image was deleted meanwhile, because nothing else would remove it.
    if (!(await images.isThere(imageName))) {
      await thumbnails.remove([imageName])
      throw new Refusal('image_not_found')
    }
    return webp
  }

  async #originalOf(name: string) {
    const { images, videos } = this.#parts
    if (!isVideoName(name)) return images.get(name)
    const video = await videos.get(name)
    return video && { ...video, image_name: name }
  }
}
