import { imageExtensions, imageMediaTypes, listImageFormats } from '#contract/image-formats.ts'
import { formatBytes } from '#gallery/ui/text/count.ts'

export interface FileLimits {
  /** null if the server does not publish a limit. */
  readonly maxBytes: number | null
  /** True if only Tessera's formats are accepted. Other servers decide about each image themselves. */
  readonly onlyKnownFormats: boolean
}

/** Media types that a Tessera accepts. */
const KNOWN_TYPES: readonly string[] = [...imageMediaTypes, 'image/apng']

/** Returns the media types for a file picker. Without HEIC iOS converts its photos, because InvokeAI does not read them. */
export const pickableTypes = ({ onlyKnownFormats }: FileLimits): readonly string[] =>
  onlyKnownFormats ? KNOWN_TYPES : KNOWN_TYPES.filter((type) => type !== 'image/heic')

/** Returns a user-readable reason why the file cannot be uploaded; null if only the server can decide. */
export function faultOf(
  file: { name: string; type: string; size: number },
  { maxBytes, onlyKnownFormats }: FileLimits,
): string | null {
  if (file.size === 0) return 'The file is empty.'
  const extension = /\.([^./]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? ''
  const isKnown = KNOWN_TYPES.includes(file.type) || imageExtensions.includes(extension)
  if (!isKnown && !file.type.startsWith('image/')) return 'This is not an image.'
  if (!isKnown && onlyKnownFormats) {
    return `This format cannot be added. Save it as ${listImageFormats('or')}.`
  }
  if (maxBytes !== null && file.size > maxBytes) {
    return `${formatBytes(file.size)} is too large. The limit is ${formatBytes(maxBytes)}.`
  }
  return null
}

/** Returns true for files that operating systems create in folders, which users do not mean to add. */
export const isSystemFile = (fileName: string): boolean =>
  fileName.startsWith('.') || /^(thumbs\.db|desktop\.ini|ehthumbs\.db)$/i.test(fileName)
