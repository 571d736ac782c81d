import { type FileHandle, open } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import type { Pixels } from './draw-thumbnail.ts'
import { metadataOf } from './image-head.ts'

/** Values of the compression field. All others are compressed, and `decodeBmp` cannot read them. */
const uncompressed = { rgb: 0, bitFields: 3, alphaBitFields: 6 }

/** The file header, followed by an information header that begins with its own size. */
const FILE_HEADER_BYTES = 14
/** OS/2's information header, with sizes of 16 bits and a palette without a fourth byte. */
const CORE_HEADER_BYTES = 12
const INFO_HEADER_BYTES = 40
const OS2_HEADER_BYTES = 64
const HEADER_SIZES = [CORE_HEADER_BYTES, INFO_HEADER_BYTES, 52, 56, OS2_HEADER_BYTES, 108, 124]
/** The newest header, as far as it is read: four masks follow the 40 bytes. */
const READ_BYTES = FILE_HEADER_BYTES + INFO_HEADER_BYTES + 16

const STRIP_BYTES = 4 * 1024 ** 2

/** True if a file with this head is a BMP: it has the signature and a known header size. */
export const isBmpHead = (head: Buffer): boolean =>
  head.toString('latin1', 0, 2) === 'BM' &&
  head.length >= FILE_HEADER_BYTES + 4 &&
  HEADER_SIZES.includes(head.readUInt32LE(FILE_HEADER_BYTES))

/** True if the head of a BMP says that its pixels are compressed. */
export const isCompressedBmp = (head: Buffer): boolean => {
  if (head.length < 34 || head.readUInt32LE(FILE_HEADER_BYTES) === CORE_HEADER_BYTES) return false
  const compression = head.readUInt32LE(30)
  // OS/2 uses other numbers.
  if (head.readUInt32LE(FILE_HEADER_BYTES) === OS2_HEADER_BYTES) return compression !== 0
  return !Object.values(uncompressed).includes(compression)
}

/** A channel of a pixel of 16 or 32 bits. */
interface Channel {
  mask: number
  shift: number
  /** Largest value; 0 if the pixels have no such channel. */
  max: number
}

const channelOf = (mask: number): Channel => {
  const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)
  return { mask, shift, max: mask >>> shift }
}

type BmpHeader = ReturnType<typeof readHeader>

/** @throws {Error} if the header is damaged, or the file is shorter than the header says. */
const readHeader = (head: Buffer, fileBytes: number) => {
  const headerBytes = head.readUInt32LE(FILE_HEADER_BYTES)
  const isCore = headerBytes === CORE_HEADER_BYTES
  const width = isCore ? head.readUInt16LE(18) : head.readInt32LE(18)
  const signedHeight = isCore ? head.readUInt16LE(20) : head.readInt32LE(22)
  const height = Math.abs(signedHeight)
  const bitsPerPixel = head.readUInt16LE(isCore ? 24 : 28)
  const compression = isCore ? uncompressed.rgb : head.readUInt32LE(30)
  if (width <= 0 || height === 0) throw new Error('The BMP has no pixels.')

  const hasMasks = compression !== uncompressed.rgb
  if (
    isCompressedBmp(head) ||
    !(hasMasks ? [16, 32] : [1, 4, 8, 16, 24, 32]).includes(bitsPerPixel)
  )
    throw new Error('The BMP has pixels of an unknown kind.')
  const hasAlphaMask = compression === uncompressed.alphaBitFields || headerBytes >= 56
  // Red, green, blue and alpha.
  const masks = hasMasks
    ? [54, 58, 62, ...(hasAlphaMask ? [66] : [])].map((at) => head.readUInt32LE(at))
    : bitsPerPixel === 16
      ? [0x7c00, 0x3e0, 0x1f]
      : [0xff0000, 0xff00, 0xff]

  const pixelsAt = head.readUInt32LE(10)
  const paletteAt = FILE_HEADER_BYTES + headerBytes
  // Rows are padded to a multiple of four bytes.
  const rowBytes = Math.ceil((width * bitsPerPixel) / 32) * 4
  if (pixelsAt < paletteAt || pixelsAt + rowBytes * height > fileBytes)
    throw new Error('The BMP is cut off.')
  const entryBytes = isCore ? 3 : 4
  const colors = (isCore ? 0 : head.readUInt32LE(46)) || 256
  const count = Math.min(colors, 256, Math.floor((pixelsAt - paletteAt) / entryBytes))
  const palette = { at: paletteAt, entryBytes, count }
  const isTopDown = signedHeight < 0
  return { width, height, isTopDown, bitsPerPixel, pixelsAt, rowBytes, masks, palette }
}

const hasAlpha = ({ masks: [, , , alpha = 0] }: BmpHeader): boolean => alpha !== 0

/** Opens a BMP file for `read` and closes it afterwards. */
const withBmp = async <T>(
  path: string,
  read: (file: FileHandle, header: BmpHeader) => T | Promise<T>,
): Promise<T> => {
  const file = await open(path, 'r')
  try {
    const { buffer: head } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0)
    const { size } = await file.stat()
    return await read(file, readHeader(head, size))
  } finally {
    await file.close()
  }
}

/**
 * Returns the header of a BMP file in the form of sharp's metadata.
 *
 * @throws {Error} if the header is damaged, or the file is shorter than the header says.
 */
export const readBmpMetadata = (path: string): Promise<Metadata> =>
  withBmp(path, (_, header) => metadataOf('raw', { ...header, channels: hasAlpha(header) ? 4 : 3 }))

/**
 * Decodes a BMP file. Pixels of 32 bits have alpha only if a mask says so, as in browsers.
 *
 * @throws {Error} if the file is damaged or has more than `maxPixels`.
 */
export const decodeBmp = (path: string, maxPixels: number): Promise<Pixels> =>
  withBmp(path, async (file, header) => {
    const { width, height, isTopDown, pixelsAt, rowBytes } = header
    if (width * height > maxPixels) throw new Error('The BMP has too many pixels.')
    const channels = hasAlpha(header) ? 4 : 3
    const bytes = Buffer.alloc(width * height * channels)
    const writeRow = await rowWriter(file, header, bytes)
    const stripRows = Math.max(1, Math.floor(STRIP_BYTES / rowBytes))
    const strip = Buffer.alloc(Math.min(stripRows, height) * rowBytes)
    for (let first = 0; first < height; first += stripRows) {
      const rows = Math.min(stripRows, height - first)
      const { bytesRead } = await file.read(strip, 0, rows * rowBytes, pixelsAt + first * rowBytes)
      if (bytesRead < rows * rowBytes) throw new Error('The BMP is cut off.')
      for (let row = 0; row < rows; row++) {
        const y = isTopDown ? first + row : height - 1 - first - row
        writeRow(strip.subarray(row * rowBytes), y * width * channels)
      }
    }
    return { bytes, width, height, channels }
  })

/** Writes the pixels of a row of the file to `target`, starting at index `at`. */
type WriteRow = (row: Buffer, at: number) => void

const rowWriter = async (
  file: FileHandle,
  header: BmpHeader,
  target: Buffer,
): Promise<WriteRow> => {
  const { width, bitsPerPixel, masks } = header
  if (bitsPerPixel <= 8) return paletteWriter(header, await readPalette(file, header), target)
  if (bitsPerPixel === 24) {
    return (row, at) => {
      for (let x = 0; x < width * 3; x += 3) {
        target[at + x] = row[x + 2] ?? 0
        target[at + x + 1] = row[x + 1] ?? 0
        target[at + x + 2] = row[x] ?? 0
      }
    }
  }
  const channels = masks.map(channelOf).filter((channel, index) => index < 3 || channel.max > 0)
  return (row, at) => {
    let to = at
    for (let x = 0; x < width; x++) {
      const pixel = bitsPerPixel === 16 ? row.readUInt16LE(x * 2) : row.readUInt32LE(x * 4)
      for (const { mask, shift, max } of channels) {
        target[to++] = max === 0 ? 0 : Math.round((((pixel & mask) >>> shift) * 255) / max)
      }
    }
  }
}

/** Returns the palette as blue, green and red. Colors missing in the file are black. */
const readPalette = async (file: FileHandle, { palette }: BmpHeader): Promise<Buffer> => {
  const { at, entryBytes, count } = palette
  const read = Buffer.alloc(count * entryBytes)
  await file.read(read, 0, read.length, at)
  const colors = Buffer.alloc(256 * 3)
  for (let index = 0; index < count; index++)
    read.copy(colors, index * 3, index * entryBytes, index * entryBytes + 3)
  return colors
}

const paletteWriter = (
  { width, bitsPerPixel }: BmpHeader,
  colors: Buffer,
  target: Buffer,
): WriteRow => {
  const pixelsPerByte = 8 / bitsPerPixel
  const mask = 2 ** bitsPerPixel - 1
  return (row, at) => {
    for (let x = 0; x < width; x++) {
      const byte = row[Math.floor(x / pixelsPerByte)] ?? 0
      // The first pixel is in the highest bits of a byte.
      const shift = 8 - bitsPerPixel * ((x % pixelsPerByte) + 1)
      const color = ((byte >>> shift) & mask) * 3
      target[at + x * 3] = colors[color + 2] ?? 0
      target[at + x * 3 + 1] = colors[color + 1] ?? 0
      target[at + x * 3 + 2] = colors[color] ?? 0
    }
  }
}
