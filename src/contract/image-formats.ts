/** An accepted image format. */
interface ImageFormat {
  readonly name: string
  /** Extensions of files, the one of stored files first. */
  readonly extensions: readonly [string, ...string[]]
  /**
   * Possible first bytes, as Latin-1 text in which `?` is any byte. Formats of ISO media files are listed with one brand,
   * which may be any of the brands of a file.
   */
  readonly signatures: readonly string[]
  readonly isDrawnByBrowsers: boolean
  readonly canBeAnimated: boolean
}

const still = { isDrawnByBrowsers: true, canBeAnimated: false }
const animated = { isDrawnByBrowsers: true, canBeAnimated: true }

/** Accepted image formats, by the media type of their responses. A server also needs a decoder for each of them. */
export const imageFormats = {
  'image/png': {
    name: 'PNG',
    extensions: ['png'],
    signatures: ['\x89PNG\r\n\x1a\n'],
    ...animated,
  },
  'image/jpeg': {
    name: 'JPEG',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
    signatures: ['\xff\xd8\xff'],
    ...still,
  },
  'image/webp': {
    name: 'WebP',
    extensions: ['webp'],
    signatures: ['RIFF????WEBP'],
    ...animated,
  },
  'image/gif': {
    name: 'GIF',
    extensions: ['gif'],
    signatures: ['GIF87a', 'GIF89a'],
    ...animated,
  },
  'image/avif': {
    name: 'AVIF',
    extensions: ['avif'],
    signatures: ['????ftypavif'],
    ...animated,
  },
  'image/heic': {
    name: 'HEIC',
    extensions: ['heic', 'heif', 'hif'],
    signatures: ['????ftypheic', '????ftypheix'],
    ...still,
    isDrawnByBrowsers: false,
  },
  'image/jxl': {
    name: 'JPEG XL',
    extensions: ['jxl'],
    // A bare codestream, or a container with metadata.
    signatures: ['\xff\x0a', '\0\0\0\x0cJXL \r\n\x87\n'],
    ...still,
    isDrawnByBrowsers: false,
  },
  'image/tiff': {
    name: 'TIFF',
    extensions: ['tiff', 'tif'],
    signatures: ['II*\0', 'II+\0', 'MM\0*', 'MM\0+'],
    ...still,
    isDrawnByBrowsers: false,
  },
  'image/bmp': {
    name: 'BMP',
    extensions: ['bmp', 'dib'],
    // After 14 bytes: the size of the next header, which differs between versions.
    signatures: ['\x0c', '(', '4', '8', '@', 'l', '|'].map(
      (size) => `BM${'?'.repeat(12)}${size}\0\0\0`,
    ),
    ...still,
  },
} as const satisfies Readonly<Record<string, ImageFormat>>

type MediaType = keyof typeof imageFormats

export const imageMediaTypes = Object.keys(imageFormats) as MediaType[]

/** Lists the names of the formats: `PNG, JPEG and BMP`. */
export const listImageFormats = (word: 'and' | 'or' = 'and'): string =>
  imageMediaTypes
    .map((mediaType) => imageFormats[mediaType].name)
    .join(', ')
    .replace(/, ([^,]+)$/, ` ${word} $1`)

/** Extensions of all formats. */
export const imageExtensions: readonly string[] = imageMediaTypes.flatMap(
  (mediaType): readonly string[] => imageFormats[mediaType].extensions,
)

/** Extension of the stored files of each format. */
export const extensionOf = Object.fromEntries(
  imageMediaTypes.map((mediaType) => [mediaType, imageFormats[mediaType].extensions[0]]),
) as Readonly<Record<MediaType, string>>

/** Media types by the extensions of files. */
export const mediaTypeOf: Readonly<Record<string, string>> = Object.fromEntries(
  imageMediaTypes.flatMap((mediaType) =>
    imageFormats[mediaType].extensions.map((extension) => [extension, mediaType]),
  ),
)

/** Returns the name of a format that browsers cannot draw, and null for other formats. */
export const undrawableFormat = (mediaType: string | null): string | null => {
  const formats: Readonly<Record<string, ImageFormat | undefined>> = imageFormats
  const format = formats[mediaType ?? '']
  return format === undefined || format.isDrawnByBrowsers ? null : format.name
}
