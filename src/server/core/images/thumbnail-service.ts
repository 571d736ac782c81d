import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import type { ImageRecords } from './image-ports.ts'
import type { OriginalCheck } from './original-check.ts'
import type { ImageCodec } from './picture-ports.ts'

export interface ThumbnailParts {
  images: Pick<ImageRecords, 'get'>
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
    const image = orRefuse(await images.get(imageName), 'image_not_found')
    if (!(await originals.isWhole(image))) throw new Refusal('damaged_image')
    await using original = orRefuse(await files.local(imageName), 'image_not_found')
    const webp = await codec.thumbnail(original.path, sizePx)
    await thumbnails.write(imageName, sizePx, webp)
    // Removes the thumbnail if the image was deleted meanwhile, because nothing else would remove it.
    if ((await images.get(imageName)) === null) {
      await thumbnails.remove([imageName])
      throw new Refusal('image_not_found')
    }
    return webp
  }
}
