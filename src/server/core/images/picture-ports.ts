import type { ImageMediaType } from '#contract/image.ts'
import type { EmbeddedMetadata } from './image-ports.ts'

/** What a decoder found in a file. */
export interface DecodedImage {
  mediaType: ImageMediaType
  /** Pixels, as shown (EXIF orientation applied). */
  width: number
  height: number
  thumbhash: Uint8Array
  /** WebP, longest side 384 or the image's own. */
  thumbnail: Uint8Array
  metadata: EmbeddedMetadata
  /** Milliseconds since 1970, from EXIF. */
  takenAt: number | null
}

/** What is drawn of an image's pixels when it comes in. */
export type Thumbnail = Pick<DecodedImage, 'thumbnail' | 'thumbhash'>

/** Pixels: decoding, thumbnails, re-encoding. The number of decodes at once is bounded; callers wait their turn. */
export interface ImageCodec {
  /** Gets ready for a file that will arrive soon. */
  prepare(): void
  /**
   * Decodes a file once: everything a record needs. `metadata` is InvokeAI's object as JSON
   * text, where the upload brought one; it takes the place of what the file embeds. Text that is no
   * object is left out. `thumbnail` was made of the pixels before this server encoded them: the file's header and
   * end are checked, and its pixels are not decoded.
   *
   * @throws {Refusal} `not_an_image`, `unreadable_image`, `unsupported_format`, `damaged_image`, `too_many_pixels`,
   *   `too_many_pages`, `empty_file`, `image_not_found` (no such file).
   */
  decode(
    path: string,
    given?: { metadata?: string | null; thumbnail?: Thumbnail | null },
  ): Promise<DecodedImage>
  /** A WebP with this longest side, never enlarged. */
  thumbnail(path: string, sizePx: number): Promise<Uint8Array>
  /** Re-encodes as PNG, cropped to what is not zero or resized (wire 2.2). Text chunks are carried over. */
  transform(
    path: string,
    change: { cropVisible: boolean; resizeTo: { width: number; height: number } | null },
  ): Promise<Uint8Array>
}
