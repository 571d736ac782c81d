/**
 * By their names: what is taken in, and pictures that a person will miss and that are refused with a reason.
 * Videos, texts and whatever else lies in such folders are passed over in silence.
 */
const extensions = new Set(
  'png jpg jpeg jpe jfif webp gif avif tif tiff bmp heic heif hif jxl jp2 svg psd'.split(' '),
)

/** Folders that programs keep small copies in, and what a Mac puts into zips. */
const passedOver = new Set(['@eadir', '__macosx', '$recycle.bin', 'system volume information'])

/** Names that begin with a dot are hidden. */
export const isHidden = (name: string): boolean =>
  name.startsWith('.') || passedOver.has(name.toLowerCase())

/** `unknown`: it has no extension, and only its first bytes tell. */
export const kindByName = (fileName: string): 'image' | 'unknown' | 'other' => {
  const dot = fileName.lastIndexOf('.')
  if (dot === -1) return 'unknown'
  return extensions.has(fileName.slice(dot + 1).toLowerCase()) ? 'image' : 'other'
}
