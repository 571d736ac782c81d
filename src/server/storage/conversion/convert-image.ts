import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { encodedType } from '#contract/downloads/converted-type.ts'
import type { ImageMediaType } from '#contract/image.ts'
import type { ConvertedPicture, PictureForm } from '#server/core/images/picture-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { decodeMemory, turnedBytesOf } from '#server/processes/decode-memory.ts'
import { openWithSharp } from '#server/processes/open-with-sharp.ts'
import { type ImageHeader, readHeader } from '#server/storage/thumbnails/read-header.ts'
import { readHiddenText } from '#server/storage/thumbnails/read-hidden-text.ts'
import { readSource } from '#server/storage/thumbnails/read-source.ts'
import { orientationExif, stripMetadata } from './strip-metadata.ts'

/** How the decoder opens the file. */
type Source = Parameters<typeof openWithSharp>[1] & { sequentialRead: boolean }

/** Quality of a file that keeps its format but must be encoded again to remove its metadata. */
const SAME_QUALITY = 95

/** Bytes per pixel that an encoder holds. JPEG and PNG are written row by row. */
const heldBytes: Partial<Record<ImageMediaType, number>> = { 'image/avif': 14, 'image/webp': 8 }

const longestSideOf = ({ width, height }: ImageHeader): number => Math.max(width, height)

/** Animated images are never converted, because only their first frame would remain. */
const isConverted = (header: ImageHeader, { format, longestSidePx }: PictureForm): boolean => {
  const isLarger = longestSidePx !== null && longestSideOf(header) > longestSidePx
  return !header.isAnimated && (format !== 'original' || isLarger)
}

/** Estimates the memory of a conversion, in bytes. */
export const conversionMemory = (header: ImageHeader, form: PictureForm): number => {
  const scale = Math.min(
    1,
    (form.longestSidePx ?? Number.POSITIVE_INFINITY) / longestSideOf(header),
  )
  const pixels = header.width * header.height
  const held = (heldBytes[encodedType(header.mediaType, form.format)] ?? 0) * pixels * scale ** 2
  const cleared = form.withoutMetadata ? 4 : 0
  return decodeMemory(header.metadata, turnedBytesOf(header.metadata) + cleared) + held
}

/**
 * Converts an image, or removes its metadata. Without a conversion the pixels keep their bytes where the format allows.
 *
 * @returns null: the file already has this form.
 * @throws {Refusal} `metadata_left`, `conversion_failed`.
 */
export const convertImage = async (
  path: string,
  header: ImageHeader,
  form: PictureForm,
  source: Source,
): Promise<ConvertedPicture | null> => {
  const isEncoded = isConverted(header, form)
  if (!form.withoutMetadata) return isEncoded ? encode(path, header, form, source) : null
  const hidden = await readHiddenText(path, header.metadata, source).catch(() => null)
  const stripped =
    isEncoded || hidden !== null
      ? null
      : stripMetadata(await readFile(path), header.mediaType, header.metadata.orientation ?? 1)
  if (stripped === null && header.isAnimated) throw new Refusal('metadata_left')
  const made =
    stripped === null
      ? await encode(path, header, isEncoded ? form : { ...form, quality: SAME_QUALITY }, source, {
          hasHiddenText: hidden !== null,
        })
      : { bytes: stripped, mediaType: header.mediaType, isEncoded: false }
  await assertNothingLeft(made.bytes, source)
  return made
}

const encode = async (
  path: string,
  header: ImageHeader,
  form: PictureForm,
  source: Source,
  { hasHiddenText = false } = {},
): Promise<ConvertedPicture> => {
  const { longestSidePx: side, withoutMetadata, quality } = form
  const mediaType = encodedType(header.mediaType, form.format)
  try {
    const upright = (await openWithSharp(path, source)).autoOrient()
    let picture = hasHiddenText ? await withoutLowBits(upright) : upright
    if (side !== null) {
      picture = picture.resize(side, side, { fit: 'inside', withoutEnlargement: true })
    }
    if (mediaType === 'image/jpeg') picture = picture.flatten({ background: '#fff' })
    if (!withoutMetadata) picture = picture.keepMetadata()
    const bytes = await encoders[mediaType](picture, quality).toBuffer()
    return { bytes, mediaType, isEncoded: true }
  } catch (cause) {
    throw notConverted(cause)
  }
}

const notConverted = (cause: unknown): Refusal =>
  new Refusal('conversion_failed', 'This image could not be converted.', { cause })

const asPng = (picture: Sharp) => picture.png({ compressionLevel: 6 })

const encoders: Record<ImageMediaType, (picture: Sharp, quality: number) => Sharp> = {
  'image/jpeg': (picture, quality) => picture.jpeg({ quality }),
  'image/webp': (picture, quality) => picture.webp({ quality }),
  'image/avif': (picture, quality) => picture.avif({ quality }),
  ...{ 'image/png': asPng, 'image/gif': asPng, 'image/tiff': asPng },
  ...{ 'image/bmp': asPng, 'image/heic': asPng, 'image/jxl': asPng },
}

/** Removes a text in the lowest bits of the pixels: colors change by 1 of 255 at most. */
const withoutLowBits = async (picture: Sharp): Promise<Sharp> => {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const hasAlpha = channels === 2 || channels === 4
  for (let at = 0; at < data.length; at += 1) {
    const isAlpha = hasAlpha && at % channels === channels - 1
    const value = data[at] ?? 0
    data[at] = isAlpha ? value | 1 : value & 0xfe
  }
  return sharp(data, { raw: { width, height, channels } })
}

/** @throws {Refusal} `metadata_left` if a reader of this server finds something, `conversion_failed` if none can read it. */
const assertNothingLeft = async (bytes: Uint8Array, source: Source): Promise<void> => {
  // The readers need a path.
  const path = join(tmpdir(), `tessera-${randomUUID()}`)
  try {
    await writeFile(path, bytes)
    const header = await readHeader(path, source.limitInputPixels)
    const { comments, exif, xmp, claims } = await readSource(path, header)
    const orientation = orientationExif(header.metadata.orientation ?? 1)
    const hasExif = exif !== null && !exif.subarray(-orientation.length).equals(orientation)
    const hidden = await readHiddenText(path, header.metadata, source)
    if (comments.length > 0 || hasExif || xmp || claims || hidden !== null) {
      throw new Refusal('metadata_left')
    }
  } catch (cause) {
    throw cause instanceof Refusal ? cause : notConverted(cause)
  } finally {
    await rm(path, { force: true })
  }
}
