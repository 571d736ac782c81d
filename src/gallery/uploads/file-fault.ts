import { formatBytes } from '#gallery/ui/text/count.ts'

/** What the server takes in. */
export interface FileLimits {
  /** null: the server does not say. */
  readonly maxBytes: number | null
  /** Only the seven formats of Tessera's own server; another takes whatever is an image. */
  readonly onlyKnownFormats: boolean
}

const KNOWN_EXTENSIONS = [
  'png',
  'jpg',
  'jpeg',
  'jpe',
  'jfif',
  'webp',
  'gif',
  'avif',
  'tif',
  'tiff',
  'bmp',
]
/** Media types that our server accepts. */
export const KNOWN_TYPES = [
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/tiff',
  'image/bmp',
]

/** Why a file need not be sent at all, for people; null where only the server can tell. */
export function faultOf(
  file: { name: string; type: string; size: number },
  { maxBytes, onlyKnownFormats }: FileLimits,
): string | null {
  if (file.size === 0) return 'The file is empty.'
  const extension = /\.([^./]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? ''
  const isKnown = KNOWN_TYPES.includes(file.type) || KNOWN_EXTENSIONS.includes(extension)
  if (!isKnown && !file.type.startsWith('image/')) return 'This is not an image.'
  if (!isKnown && onlyKnownFormats) {
    return 'This format cannot be added. Save it as PNG, JPEG, WebP, GIF, AVIF, TIFF or BMP.'
  }
  if (maxBytes !== null && file.size > maxBytes) {
    return `${formatBytes(file.size)} is too large. The limit is ${formatBytes(maxBytes)}.`
  }
  return null
}

/** Files that systems leave in folders and nobody meant to add. */
export const isSystemFile = (fileName: string): boolean =>
  fileName.startsWith('.') || /^(thumbs\.db|desktop\.ini|ehthumbs\.db)$/i.test(fileName)
