import exifReader from 'exif-reader'
import { cleanText, type NormalFields, nameOf, numberOf } from './normal-fields.ts'

/** The used content of an EXIF block. */
export interface ExifBlock {
  fields: NormalFields
  /** The time at which the photo was taken, in milliseconds since 1970. */
  takenAt: number | null
  /** Values with readable text or numbers, by tag. */
  readable: Record<string, string | number>
  userComment: string | null
  /** Texts that ComfyUI stores as `prompt:{...}` in any tag, by the word before the colon. */
  tagged: Record<string, string>
}

const MAX_TAG_LENGTH = 2000

/** Decodes a UserComment, which begins with eight bytes that name its encoding. */
export const decodeUserComment = (bytes: Uint8Array): string | null => {
  const buffer = Buffer.from(bytes)
  const encoding = buffer.subarray(0, 8).toString('latin1').replaceAll('\0', '').trim()
  const body = buffer.subarray(8)
  if (encoding !== 'UNICODE')
    return (encoding === '' || encoding === 'ASCII' ? body : buffer).toString('utf8')
  const text = body.subarray(0, body.length - (body.length % 2))
  // The byte order is not specified, so it is guessed from the position of the zero bytes of ASCII letters.
  const sample = [...text.subarray(0, 200)]
  const zerosFirst = sample.filter((byte, index) => byte === 0 && index % 2 === 0).length
  const isBigEndian = zerosFirst * 2 >= sample.filter((byte) => byte === 0).length
  return (isBigEndian ? Buffer.from(text).swap16() : text).toString('utf16le')
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
  const [make, name] = [nameOf(maker), nameOf(model)]
  if (make === null || name === null) return name ?? make
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

/** Returns the time of a plausible date, or null. Cameras whose clock was never set write 1970 or nothing. */
const dateOf = (date: unknown, offset: unknown): number | null => {
  if (!(date instanceof Date)) return null
  const at = date.getTime() - offsetMs(offset)
  return at >= Date.UTC(1971, 0) && at < Date.UTC(2100, 0) ? at : null
}

const parse = (bytes: Buffer): ReturnType<typeof exifReader> | null => {
  try {
    return exifReader(bytes)
  } catch {
    return null
  }
}

/** Reads an EXIF block. null: it is broken. */
export const readExif = (bytes: Buffer): ExifBlock | null => {
  const exif = parse(bytes)
  if (exif === null) return null
  const image: Record<string, unknown> = exif.Image ?? {}
  const photo: Record<string, unknown> = exif.Photo ?? {}
  const tagged = taggedTexts(image)
  const isGenerated = Object.keys(tagged).length > 0
  const comment = photo.UserComment
  return {
    fields: isGenerated
      ? {}
      : {
          camera: cameraOf(image.Make, image.Model),
          lens: nameOf(photo.LensModel),
          exposure: exposureOf(photo),
        },
    takenAt:
      dateOf(photo.DateTimeOriginal, photo.OffsetTimeOriginal ?? photo.OffsetTime) ??
      dateOf(photo.DateTimeDigitized, photo.OffsetTimeDigitized ?? photo.OffsetTime),
    readable: Object.fromEntries(readableTags(isGenerated ? photo : { ...image, ...photo })),
    userComment: comment instanceof Uint8Array ? decodeUserComment(comment) : null,
    tagged,
  }
}
