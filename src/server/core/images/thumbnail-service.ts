import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { ImageRecords } from './image-ports.ts'
import type { OriginalCheck } from './original-check.ts'
import type { ImageCodec } from './picture-ports.ts'

export interface ThumbnailParts {
  images: Pick<ImageRecords, 'get'>
  files: Pick<ImageFiles, 'pathOf'>
  originals: Pick<OriginalCheck, 'isWhole'>
  codec: Pick<ImageCodec, 'thumbnail'>
  thumbnails: ThumbnailFiles
}

/** Thumbnails: those that are there, and those that are made when someone first asks. */
export class ThumbnailService {
  readonly #parts: ThumbnailParts
  readonly #underWay = new Map<string, Promise<string>>()

  constructor(parts: ThumbnailParts) {
    this.#parts = parts
  }

  /**
   * Returns the path of a thumbnail (WebP). A missing one is made from the original, once for all requests that
   * wait for it.
   *
   * @param sizePx - Longest side, one of `THUMBNAIL_SIZES`.
   * @throws {Refusal} `image_not_found`; `damaged_image` if the original has changed or cannot be read.
   */
  async path(imageName: string, sizePx: number = THUMBNAIL_SIZES[0]): Promise<string> {
    const existing = await this.#parts.thumbnails.pathOf(imageName, sizePx)
    if (existing !== null) return existing
    const key = `${sizePx}/${imageName}`
    const making =
      this.#underWay.get(key) ??
      this.#make(imageName, sizePx).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, making)
    return making
  }

  /** The bytes of a thumbnail that was made before; null if it was not. */
  read(imageName: string, sizePx: number): Promise<Uint8Array | null> {
    return this.#parts.thumbnails.read(imageName, sizePx)
  }

  async #make(imageName: string, sizePx: number): Promise<string> {
    const { images, files, originals, codec, thumbnails } = this.#parts
    const image = await images.get(imageName)
    if (image === null) throw new Refusal('image_not_found')
    if (!(await originals.isWhole(image))) throw new Refusal('damaged_image')
    const webp = await codec.thumbnail(files.pathOf(imageName), sizePx)
    await thumbnails.write(imageName, sizePx, webp)
    // If the image was deleted meanwhile, nobody else would remove this thumbnail.
    if ((await images.get(imageName)) === null) {
      await thumbnails.remove([imageName])
      throw new Refusal('image_not_found')
    }
    const path = await thumbnails.pathOf(imageName, sizePx)
    if (path === null) throw new Refusal('image_not_found')
    return path
  }
}
