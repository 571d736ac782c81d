import { isUtf8 } from 'node:buffer'
import exifReader from 'exif-reader'
import { cleanText, type NormalFields, nameOf, numberOf } from './normal-fields.ts'
import { decodeText } from './read-file-texts.ts'

/** The used content of an EXIF block. */
export interface ExifBlock {
  fields: NormalFields
  /** The time at which the photo was taken, in milliseconds since 1970. */
  takenAt: number | null
  /** Values with readable text or numbers, by tag. */
  readable: Record<string, string | number>
  userComment: string | null
  /** Texts of other tags in which programs write metadata, by tag. */
  texts: Record<string, string>
  /** Texts that ComfyUI stores as `prompt:{...}` in any tag, by the word before the colon. */
  tagged: Record<string, string>
}

const MAX_TAG_LENGTH = 2000

/** Of a text, to find out its encoding. */
const MAX_SAMPLE_BYTES = 20_000

const EXIF_POINTER = 0x8769
const UTF8_TYPE = 129
const BYTES_TYPE = 7

/** UserComment, in the directory where it does not belong. */
const COMMENT_TAG = '37510'

const textTags = [
  ...['ImageDescription', 'XPComment', 'XPTitle', 'XPSubject', 'Make', 'Model', 'Software'],
  ...['Artist', 'DocumentName'],
]

const utf16 = (bytes: Buffer, isBigEndian: boolean): string => {
  const text = bytes.subarray(0, bytes.length - (bytes.length % 2))
  return (isBigEndian ? Buffer.from(text).swap16() : text).toString('utf16le')
}

/** Reads the byte order of UTF-16 from the zero bytes of ASCII letters. Returns null without such bytes, or for UTF-8. */
const byteOrderOf = (bytes: Buffer): 'big' | 'little' | null => {
  let end = Math.min(bytes.length, MAX_SAMPLE_BYTES)
  // Zeros at the end fill up the tag.
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  let [first, second] = [0, 0]
  for (let at = 0; at < end; at += 1) {
    if (bytes[at] !== 0) continue
    if (at % 2 === 0) first += 1
    else second += 1
  }
  // A last letter in little-endian order has its zero after the end.
  if (first === 0 && second === 0) return null
  return first > second ? 'big' : 'little'
}

/**
 * Decodes text whose encoding is not certain: UTF-8, Latin-1, or UTF-16 of either byte order.
 *
 * @param isBigEndian - The byte order of UTF-16 if the text does not tell. null: such text is no UTF-16.
 */
const decodeBytes = (bytes: Buffer, isBigEndian: boolean | null): string => {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16(bytes.subarray(2), true)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16(bytes.subarray(2), false)
  const order = byteOrderOf(bytes)
  if (order !== null) return utf16(bytes, order === 'big')
  // Without ASCII letters there are no zeros, and UTF-16 is hardly ever valid UTF-8.
  return isBigEndian === null || isUtf8(bytes) ? decodeText(bytes) : utf16(bytes, isBigEndian)
}

/**
 * Decodes a UserComment, which begins with eight bytes that name its encoding. `UNICODE` is UTF-16, or UTF-8 since
 * EXIF 3.
 *
 * @param isBigEndian - The byte order of the block.
 */
export const decodeUserComment = (bytes: Uint8Array, isBigEndian = false): string => {
  const buffer = Buffer.from(bytes)
  const encoding = buffer.subarray(0, 8).toString('latin1').replaceAll('\0', '').trim()
  const body = buffer.subarray(8)
  if (encoding === 'UNICODE') return decodeBytes(body, isBigEndian)
  const hasName = encoding === '' || encoding === 'ASCII' || encoding === 'JIS'
  return decodeBytes(hasName ? body : buffer, null)
}

/** Returns the bytes of a tag, also if it has another type than the standard wants. */
const bytesOf = (value: unknown): Buffer | null => {
  if (typeof value === 'string') return Buffer.from(value, 'latin1')
  if (value instanceof Uint8Array) return Buffer.from(value)
  return Array.isArray(value) && typeof value[0] === 'number' ? Buffer.from(value) : null
}

/** Decodes tags with text. Windows writes `XPComment` in UTF-16, other tags are bytes beyond ASCII. */
const withTexts = (tags: Record<string, unknown>): Record<string, unknown> => {
  const decoded: Record<string, unknown> = { ...tags }
  for (const tag of textTags) {
    const bytes = typeof tags[tag] === 'string' ? null : bytesOf(tags[tag])
    if (bytes !== null) decoded[tag] = decodeBytes(bytes, tag.startsWith('XP') ? false : null)
  }
  return decoded
}

const readableTags = (tags: Record<string, unknown>): [string, string | number][] =>
  Object.entries(tags).flatMap(([tag, value]): [string, string | number][] => {
    if (typeof value === 'number') return [[tag, value]]
    if (value instanceof Date && !Number.isNaN(value.getTime())) return [[tag, value.toISOString()]]
    if (typeof value !== 'string' || value.length > MAX_TAG_LENGTH) return []
    return [[tag, cleanText(value)]]
  })

const taggedTexts = (tags: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.values(tags).flatMap((value) => {
      const match = typeof value === 'string' ? /^(prompt|workflow):\s*\{/i.exec(value) : null
      const word = match?.[1]
      if (typeof value !== 'string' || word === undefined) return []
      return [[word.toLowerCase(), value.slice(word.length + 1)]]
    }),
  )

const cameraOf = (maker: unknown, model: unknown): string | null => {
  // Some generators write JSON into these tags.
  const [make, name] = [maker, model].map((text) =>
    typeof text === 'string' && /[{\n]/.test(text.slice(0, 500)) ? null : nameOf(text),
  )
  if (!make || !name) return name ?? make ?? null
  const brand = make.split(' ')[0]?.toLowerCase() ?? ''
  return name.toLowerCase().startsWith(brand) ? name : `${make} ${name}`
}

const exposureOf = (photo: Record<string, unknown>): string | null => {
  const seconds = numberOf(photo.ExposureTime)
  const aperture = numberOf(photo.FNumber)
  const speed = numberOf(photo.ISOSpeedRatings ?? photo.PhotographicSensitivity)
  const length = numberOf(photo.FocalLength)
  const parts = [
    seconds !== null && seconds > 0
      ? seconds < 0.5
        ? `1/${Math.round(1 / seconds)} s`
        : `${Number(seconds.toFixed(1))} s`
      : null,
    aperture === null ? null : `f/${Number(aperture.toFixed(1))}`,
    speed === null ? null : `ISO ${speed}`,
    length === null ? null : `${Number(length.toFixed(1))} mm`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(', ')
}

/** Converts an offset such as `+02:00` to milliseconds. */
const offsetMs = (offset: unknown): number => {
  const [, sign, hours, minutes] =
    (typeof offset === 'string' && /^([+-])(\d\d):(\d\d)/.exec(offset)) || []
  const total = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? -total : total
}

/** `2024:02:31 10:00:00`, as it is written in the block. */
const writtenDate = (date: Date): string =>
  date.toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ')

/**
 * Returns the time of a plausible date, or null. Cameras whose clock was never set write 1970 or nothing. The parser
 * turns an impossible date into a possible one, which the block does not contain.
 */
const dateOf = (date: unknown, offset: unknown, block: Buffer): number | null => {
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) return null
  if (!block.includes(writtenDate(date), 0, 'latin1')) return null
  const at = date.getTime() - offsetMs(offset)
  return at >= Date.UTC(1971, 0) && at < Date.UTC(2100, 0) ? at : null
}

/** EXIF 3 has a type for UTF-8, which the parser does not know. Gives such tags the type of bytes. */
const withoutUtf8Type = (block: Buffer): Buffer => {
  const start = block.toString('latin1', 0, 4) === 'Exif' ? 6 : 0
  const isBigEndian = block[start] === 0x4d
  const short = (at: number) => (isBigEndian ? block.readUInt16BE(at) : block.readUInt16LE(at))
  const long = (at: number) => (isBigEndian ? block.readUInt32BE(at) : block.readUInt32LE(at))
  let changed: Buffer | null = null
  const directories = [start + 4]
  for (const pointer of directories) {
    if (pointer + 4 > block.length) continue
    const directory = start + long(pointer)
    if (directory + 2 > block.length) continue
    const last = directory + 2 + 12 * short(directory)
    for (let at = directory + 2; at < last && at + 12 <= block.length; at += 12) {
      if (short(at) === EXIF_POINTER && directories.length < 2) directories.push(at + 8)
      if (short(at + 2) !== UTF8_TYPE) continue
      changed ??= Buffer.from(block)
      changed.writeUInt16LE(isBigEndian ? BYTES_TYPE << 8 : BYTES_TYPE, at + 2)
    }
  }
  return changed ?? block
}

const parse = (bytes: Buffer): ReturnType<typeof exifReader> | null => {
  try {
    return exifReader(withoutUtf8Type(bytes))
  } catch {
    return null
  }
}

/** Reads an EXIF block. null: it is broken. */
export const readExif = (bytes: Buffer): ExifBlock | null => {
  const exif = parse(bytes)
  if (exif === null) return null
  const image = withTexts(exif.Image ?? {})
  const photo: Record<string, unknown> = exif.Photo ?? {}
  const tagged = taggedTexts(image)
  const isGenerated = Object.keys(tagged).length > 0
  const comment = bytesOf(photo.UserComment) ?? bytesOf(image[COMMENT_TAG])
  return {
    fields: isGenerated
      ? {}
      : {
          camera: cameraOf(image.Make, image.Model),
          lens: nameOf(photo.LensModel),
          exposure: exposureOf(photo),
        },
    takenAt:
      dateOf(photo.DateTimeOriginal, photo.OffsetTimeOriginal ?? photo.OffsetTime, bytes) ??
      dateOf(photo.DateTimeDigitized, photo.OffsetTimeDigitized ?? photo.OffsetTime, bytes),
    readable: Object.fromEntries(readableTags(isGenerated ? photo : { ...image, ...photo })),
    userComment: comment && decodeUserComment(comment, exif.bigEndian),
    texts: Object.fromEntries(
      textTags.flatMap((tag) => (typeof image[tag] === 'string' ? [[tag, image[tag]]] : [])),
    ),
    tagged,
  }
}
