import type { DownloadFormat } from '#contract/downloads/download-operations.ts'
import type { ImageMediaType } from '#contract/image.ts'
import type { VideoMediaType } from '#contract/videos/video-details.ts'
import type { Fingerprint } from '#server/core/likeness/fingerprint.ts'
import type { EmbeddedMetadata, VideoFacts } from './image-ports.ts'

/** An image or a video. */
export interface DecodedImage {
  mediaType: ImageMediaType | VideoMediaType
  /** Absent for an image. */
  video?: VideoFacts
  /** Displayed size in pixels, with the EXIF orientation applied. */
  width: number
  height: number
  /** True if the file has several frames. */
  isAnimated: boolean
  /** Empty: a video of which this server decodes no frame. */
  thumbhash: Uint8Array
  /** WebP whose longest side is 384 pixels, or the image's size if that is smaller. Empty like `thumbhash`. */
  thumbnail: Uint8Array
  /** null: a video of which this server decodes no frame. */
  fingerprint: Fingerprint | null
  metadata: EmbeddedMetadata
  /** Milliseconds since 1970, from EXIF. */
  takenAt: number | null
  /** From XMP. Absent: not read. */
  marks?: Marks
}

/** A rating and tags that another program wrote. */
export interface Marks {
  /** 1 to 5. 0: none. */
  rating: number
  /** Levels are separated by `/`. They may be invalid. */
  tags: readonly string[]
}

/** The content of a file besides its pixels. */
export type FileMetadata = Pick<DecodedImage, 'metadata' | 'isAnimated' | 'marks'>

/** Thumbnail, thumbhash and fingerprint, made from an image's pixels when it is added. */
export type Thumbnail = Pick<DecodedImage, 'thumbnail' | 'thumbhash' | 'fingerprint'>

/** Kind of an item of the library. */
export type ItemKind = 'image' | 'video'

/** The form of the files of a download. */
export interface PictureForm {
  format: DownloadFormat
  /** 1 to 100, for lossy formats. */
  quality: number
  /** Larger images are reduced. null: every size. */
  longestSidePx: number | null
  withoutMetadata: boolean
}

export interface ConvertedPicture {
  bytes: Uint8Array
  /** False: only its metadata was removed. */
  isEncoded: boolean
  mediaType: ImageMediaType
}

/** Decodes, scales and re-encodes images. Concurrent decodes are limited; further calls wait. */
export interface ImageCodec {
  /** Starts the decoder early, because a file will arrive soon. */
  prepare(): void
  /**
   * Decodes a file once and returns everything that a record needs.
   *
   * @param given - `metadata`: InvokeAI's object as JSON text from the upload, which replaces the embedded one; text
   *   that is not an object is ignored. `thumbnail`: made before this server encoded the file, so that only the
   *   header and end of the file are checked and its pixels are not decoded. `kind`: what the file must be; default
   *   `image`. `any`: its bytes decide.
   * @throws {Refusal} `not_an_image`, `unreadable_image`, `unsupported_format`, `damaged_image`, `too_many_pixels`,
   *   `too_many_pages`, `empty_file`, `image_not_found` (no such file). Of a video: `not_a_video`, `damaged_video`,
   *   `unsupported_video`.
   */
  decode(
    path: string,
    given?: { metadata?: string | null; thumbnail?: Thumbnail | null; kind?: ItemKind | 'any' },
  ): Promise<DecodedImage>
  /**
   * Returns a WebP with this longest side, never enlarged. `kind` defaults to `image`.
   *
   * @param posterMs - The time of the frame of a video. null, the default: one with good contrast.
   * @throws {Refusal} `damaged_image` if nothing can be decoded.
   */
  thumbnail(
    path: string,
    sizePx: number,
    kind?: ItemKind,
    posterMs?: number | null,
  ): Promise<Uint8Array>
  /** Returns the fingerprint of a stored thumbnail. @throws {Refusal} `damaged_image` */
  fingerprint(thumbnail: Uint8Array): Promise<Fingerprint>
  /** Draws the first thumbnail of a video, as `thumbnail` does. */
  poster(path: string, posterMs: number | null): Promise<Thumbnail>
  /**
   * Returns `STRIP_FRAMES` frames of a video in a row (WebP), in small. Each shows the middle of its part of the duration,
   * or a frame near it that is decoded sooner.
   *
   * @throws {Refusal} `damaged_image` if nothing can be decoded.
   */
  strip(path: string): Promise<Uint8Array>
  /** Re-encodes as PNG, either cropped to the visible (nonzero) pixels or resized. Copies the text chunks. */
  transform(
    path: string,
    change: { cropVisible: boolean; resizeTo: { width: number; height: number } | null },
  ): Promise<Uint8Array>
  /**
   * Converts an image, or removes its metadata, which a reading of the result confirms. Without a conversion the pixels
   * keep their bytes where the format allows. Animated images are not converted.
   *
   * @returns null: the file already has this form.
   * @throws {Refusal} The refusals of `decode`, `conversion_failed`, `metadata_left`.
   */
  convert(path: string, form: PictureForm): Promise<ConvertedPicture | null>
}
