import { crc32 } from 'node:zlib'
import type { ImageMediaType } from '#contract/image.ts'

/**
 * Returns a file without texts, EXIF, XMP, C2PA and unknown parts. Pixels, color profile and animation keep their bytes.
 * A photo that is stored sideways keeps its orientation.
 *
 * @param orientation - From EXIF, 1 to 8.
 * @returns null: the file must be encoded again, because its format is not known here or it is damaged.
 */
export const stripMetadata = (
  bytes: Buffer,
  mediaType: ImageMediaType,
  orientation: number,
): Buffer | null => {
  const exif = orientation === 1 ? null : orientationExif(orientation)
  const strip = strippers[mediaType]
  try {
    return strip?.(bytes, exif) ?? null
  } catch (error) {
    // A read beyond the end of a damaged file.
    if (error instanceof RangeError) return null
    throw error
  }
}

type Strip = (bytes: Buffer, exif: Buffer | null) => Buffer | null

/** An EXIF block that has the orientation and nothing else. */
export const orientationExif = (orientation: number): Buffer => {
  const exif = Buffer.alloc(26)
  exif.write('II*\0', 'latin1')
  exif.writeUInt32LE(8, 4)
  exif.writeUInt16LE(1, 8)
  exif.writeUInt16LE(0x0112, 10)
  exif.writeUInt16LE(3, 12)
  exif.writeUInt32LE(1, 14)
  exif.writeUInt16LE(orientation, 18)
  return exif
}

const PNG_SIGNATURE_BYTES = 8

/** Chunks of pixels, colors, size and animation. */
const PNG_PARTS = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP'],
  ...['mDCV', 'cLLI', 'bKGD', 'hIST', 'pHYs', 'sPLT', 'acTL', 'fcTL', 'fdAT'],
])

const pngChunk = (type: string, data: Buffer): Buffer => {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

const stripPng: Strip = (bytes, exif) => {
  const parts = [bytes.subarray(0, PNG_SIGNATURE_BYTES)]
  for (let at = PNG_SIGNATURE_BYTES; ; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (end > bytes.length) return null
    if (PNG_PARTS.has(type)) parts.push(bytes.subarray(at, end))
    if (type === 'IHDR' && exif !== null) parts.push(pngChunk('eXIf', exif))
    if (type === 'IEND') return Buffer.concat(parts)
    at = end
  }
}

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
const COMMENT = 0xfe

/** True for bytes that can follow 0xff in the pixels: a stuffed zero, a restart, a fill byte. */
const isInScan = (byte: number): boolean =>
  byte === 0 || (byte >= 0xd0 && byte <= 0xd7) || byte === 0xff

const startsWith = (data: Buffer, text: string): boolean =>
  data.toString('latin1', 0, text.length) === text

/** Keeps the density, the color profile, and how colors are encoded. */
const isJpegPart = (marker: number, data: Buffer): boolean => {
  if (marker === 0xe0) return startsWith(data, 'JFIF\0')
  if (marker === 0xe2) return startsWith(data, 'ICC_PROFILE\0')
  if (marker === 0xee) return startsWith(data, 'Adobe')
  const isOtherApplication = marker >= 0xe0 && marker <= 0xef
  return !isOtherApplication && marker !== COMMENT
}

const jpegSegment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

const stripJpeg: Strip = (bytes, exif) => {
  const parts = [bytes.subarray(0, 2)]
  if (exif !== null) {
    parts.push(jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif])))
  }
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return null
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === END_OF_IMAGE) return Buffer.concat([...parts, Buffer.from([0xff, marker])])
    let end = at + 2 + bytes.readUInt16BE(at + 2)
    if (marker === START_OF_SCAN) end = endOfScan(bytes, end)
    if (end > bytes.length) return null
    if (isJpegPart(marker, bytes.subarray(at + 4, end))) parts.push(bytes.subarray(at, end))
    at = end
  }
}

const endOfScan = (bytes: Buffer, from: number): number => {
  let at = bytes.indexOf(0xff, from)
  while (at >= 0 && isInScan(bytes.readUInt8(at + 1))) at = bytes.indexOf(0xff, at + 1)
  return at < 0 ? bytes.length + 1 : at
}

const WEBP_HEAD_BYTES = 12
const WEBP_PARTS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** Bits of `VP8X`. */
const [WEBP_EXIF, WEBP_XMP] = [0x08, 0x04]

const stripWebp: Strip = (bytes, exif) => {
  const parts: Buffer[] = []
  const fileEnd = Math.min(bytes.length, 8 + bytes.readUInt32LE(4))
  for (let at = WEBP_HEAD_BYTES; at + 8 <= fileEnd; ) {
    const type = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    const end = at + 8 + size + (size % 2)
    if (at + 8 + size > bytes.length) return null
    if (WEBP_PARTS.has(type)) {
      const chunk = Buffer.from(bytes.subarray(at, Math.min(end, bytes.length)))
      if (type === 'VP8X') {
        const flags = chunk.readUInt8(8) & ~(WEBP_EXIF | WEBP_XMP)
        chunk.writeUInt8(exif === null ? flags : flags | WEBP_EXIF, 8)
      }
      parts.push(chunk)
    }
    at = end
  }
  if (exif !== null) parts.push(webpChunk('EXIF', exif))
  const body = Buffer.concat(parts)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return body.length === 0 ? null : Buffer.concat([head, body])
}

const webpChunk = (type: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

const GIF_HEAD_BYTES = 13
const [GIF_EXTENSION, GIF_FRAME, GIF_END] = [0x21, 0x2c, 0x3b]
const [GIF_CONTROL, GIF_APPLICATION] = [0xf9, 0xff]
const GIF_APPLICATIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']

const colorBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

const stripGif: Strip = (bytes) => {
  const start = GIF_HEAD_BYTES + colorBytes(bytes.readUInt8(10))
  const parts = [bytes.subarray(0, start)]
  for (let at = start; ; ) {
    const kind = bytes.readUInt8(at)
    if (kind === GIF_END) return Buffer.concat([...parts, Buffer.from([GIF_END])])
    if (kind !== GIF_EXTENSION && kind !== GIF_FRAME) return null
    let end = at + 2
    if (kind === GIF_FRAME) end = at + 11 + colorBytes(bytes.readUInt8(at + 9))
    for (let size = -1; size !== 0; end += size + 1) size = bytes.readUInt8(end)
    const label = bytes.readUInt8(at + 1)
    const isPart =
      kind === GIF_FRAME ||
      label === GIF_CONTROL ||
      (label === GIF_APPLICATION &&
        GIF_APPLICATIONS.includes(bytes.toString('latin1', at + 3, at + 14)))
    if (isPart) parts.push(bytes.subarray(at, end))
    at = end
  }
}

const strippers: Partial<Record<ImageMediaType, Strip>> = {
  'image/png': stripPng,
  'image/jpeg': stripJpeg,
  'image/webp': stripWebp,
  'image/gif': stripGif,
}
