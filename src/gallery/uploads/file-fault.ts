import { imageExtensions, imageMediaTypes, listImageFormats } from '#contract/image-formats.ts'
import { videoExtensions, videoMediaTypes } from '#contract/videos/video-formats.ts'
import { formatBytes } from '#gallery/ui/text/count.ts'

export interface FileLimits {
  /** Of an image. null if the server does not publish a limit. */
  readonly maxBytes: number | null
  /** Of a video. null: the server takes no videos. */
  readonly maxVideoBytes: number | null
  /** True if only Tessera's formats are accepted. Other servers decide about each image themselves. */
  readonly onlyKnownFormats: boolean
}

/** Media types that a Tessera accepts. */
const KNOWN_TYPES: readonly string[] = [...imageMediaTypes, 'image/apng']

/** Returns the media types for a file picker. Without HEIC iOS converts its photos, because InvokeAI does not read them. */
export const pickableTypes = ({ onlyKnownFormats, maxVideoBytes }: FileLimits) => [
  ...KNOWN_TYPES.filter((type) => onlyKnownFormats || type !== 'image/heic'),
  // Browsers know MKV only by its extension.
  ...(maxVideoBytes === null ? [] : [...videoMediaTypes, '.mkv']),
]

/** Returns a user-readable reason why the file cannot be uploaded; null if only the server can decide. */
export function faultOf(
  file: { name: string; type: string; size: number },
  { maxBytes, maxVideoBytes, onlyKnownFormats }: FileLimits,
): string | null {
  if (file.size === 0) return 'The file is empty.'
  const extension = /\.([^./]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? ''
  if (
    maxVideoBytes !== null &&
    (file.type.startsWith('video/') || videoExtensions.includes(extension))
  )
    return tooLarge(file.size, maxVideoBytes)
  const isKnown = KNOWN_TYPES.includes(file.type) || imageExtensions.includes(extension)
  if (!isKnown && !file.type.startsWith('image/'))
    return maxVideoBytes === null
      ? 'This is not an image.'
      : 'This is neither an image nor a video.'
  if (!isKnown && onlyKnownFormats) {
    return `This format cannot be added. Save it as ${listImageFormats('or')}.`
  }
  return tooLarge(file.size, maxBytes)
}

const tooLarge = (bytes: number, maxBytes: number | null): string | null =>
  maxBytes !== null && bytes > maxBytes
    ? `${formatBytes(bytes)} is too large. The limit is ${formatBytes(maxBytes)}.`
    : null

/** Returns true for files that operating systems create in folders, which users do not mean to add. */
export const isSystemFile = (fileName: string): boolean =>
  fileName.startsWith('.') || /^(thumbs\.db|desktop\.ini|ehthumbs\.db)$/i.test(fileName)
