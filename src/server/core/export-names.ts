import { extensionOf, type ImageMediaType } from '#contract/image.ts'
import type { ImageToExport } from './export-ports.ts'
import { safeFileName, splitName } from './safe-file-name.ts'

/** Ways to write the extension of a format, the usual one first. */
const extensions: Readonly<Record<ImageMediaType, readonly string[]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['avif'],
  'image/tiff': ['tiff', 'tif'],
  'image/bmp': ['bmp', 'dib'],
}

/**
 * What an image may be called, best first: as it was uploaded, with the end of its id, with all of it. Each
 * ends in an extension of its true format, so that no image is taken for a sidecar.
 */
export const fileNamesOf = ({ image_name, file_name, media_type }: ImageToExport): string[] => {
  const id = splitName(image_name).stem
  if (file_name === null) return [safeFileName(image_name)]
  const safe = safeFileName(file_name)
  const { stem, extension } = splitName(safe)
  const isTrue = extensions[media_type].includes(extension.slice(1).toLowerCase())
  const [name, end] = isTrue ? [stem, extension] : [safe, `.${extensionOf[media_type]}`]
  return ['', ` (${id.slice(-8)})`, ` (${id})`].map((suffix) => `${name}${suffix}${end}`)
}

/** The folders of a board's name, `A/B` being nested ones, each a name that can be kept anywhere. */
export const folderOf = (boardName: string): string[] => {
  const parts = boardName.split('/').filter((part) => part.trim() !== '')
  return (parts.length === 0 ? ['Board'] : parts).map((part) => safeFileName(part.trim(), 'Board'))
}
