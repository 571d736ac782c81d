import type { ImageMediaType } from '#contract/image.ts'
import { imageMediaTypes } from '#contract/image-formats.ts'
import type { MediaType } from '#contract/media-types.ts'
import type { DownloadFormat } from './download-operations.ts'

/** Formats that servers write. */
const writable = new Set<MediaType>(['image/png', 'image/jpeg', 'image/webp', 'image/avif'])

/** Formats whose metadata is removed without encoding the file again. */
const cleanable = new Set<MediaType>(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])

interface ConvertedItem {
  media_type: MediaType
  is_animated: boolean
  width: number
  height: number
}

interface Conversion {
  format: DownloadFormat
  /** In pixels. null: every size. */
  longestSidePx: number | null
  withoutMetadata: boolean
}

export const isImageType = (mediaType: MediaType): mediaType is ImageMediaType =>
  imageMediaTypes.some((imageType) => imageType === mediaType)

/** Returns the format of an image that is encoded again. Formats that servers do not write become PNG, which loses no pixels. */
export const encodedType = (mediaType: ImageMediaType, format: DownloadFormat): ImageMediaType => {
  if (format !== 'original') return `image/${format}`
  return writable.has(mediaType) ? mediaType : 'image/png'
}

const isLarger = (
  { width, height }: ConvertedItem,
  { longestSidePx }: Pick<Conversion, 'longestSidePx'>,
): boolean => longestSidePx !== null && Math.max(width, height) > longestSidePx

/** True for a video or an animated image that keeps a format or a size that a conversion would change. */
export const keepsForm = (item: ConvertedItem, conversion: Conversion): boolean =>
  (item.is_animated || !isImageType(item.media_type)) &&
  (conversion.format !== 'original' || isLarger(item, conversion))

/** Returns the format that a file probably has after its conversion. A damaged file may have another one. */
export const expectedType = (item: ConvertedItem, conversion: Conversion): MediaType => {
  const { media_type: mediaType } = item
  const { format, withoutMetadata } = conversion
  if (item.is_animated || !isImageType(mediaType)) return mediaType
  const isEncoded =
    format !== 'original' ||
    isLarger(item, conversion) ||
    (withoutMetadata && !cleanable.has(mediaType))
  return isEncoded ? encodedType(mediaType, format) : mediaType
}
