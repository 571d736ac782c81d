import { type FileHandle, open } from 'node:fs/promises'
import sharp, { type Metadata } from 'sharp'
import { MAX_DECODE_MEMORY_BYTES } from '#contract/limits.ts'
import { readBmpMetadata } from './bmp.ts'

/**
 * Memory that the work on one file may take, in bytes. A process that decodes takes up to 145 MB besides,
 * and is ended shortly below `MAX_DECODE_MEMORY_BYTES`.
 */
export const MAX_PIXEL_MEMORY_BYTES = MAX_DECODE_MEMORY_BYTES - 160_000_000

/** Memory of any decode. */
const BASE_BYTES = 16_000_000

/** Rows that are in flight while a picture is reduced. Of a low picture it is half of the rows. */
const MAX_ROWS = 1600

/** Bytes that a decoder holds for each pixel, or for each sample of a pixel. Measured with sharp 0.35. */
const heldBytes = {
  /** Planes, RGB, and copies of both. They are free before the pixels are given out. */
  avif: 18.6,
  avifOf10Bits: 25,
  /** A canvas and one frame. */
  gif: 5.3,
  /** The ARGB pixels. A lossy file without alpha yields rows if it is shrunk while it is decoded. */
  webp: 4.3,
  /** Times the bytes of a sample. */
  interlacedPngSample: 1.2,
  /** Coefficients of two bytes: no pixel is complete before the last scan. */
  progressiveJpegSample: 2.2,
}

const sampleBytesOf: Partial<Record<Metadata['depth'], number>> = {
  ushort: 2,
  short: 2,
  uint: 4,
  int: 4,
  float: 4,
  complex: 8,
  double: 8,
  dpcomplex: 16,
}

/** What the headers of a file say about its decoding. */
export type FileHeader = Metadata & {
  /** A lossy WebP without alpha and animation. sharp does not tell it from the others. */
  isLossyWebp: boolean
}

/** @throws {Error} if the file cannot be read. */
export const readFileHeader = async (path: string): Promise<FileHeader> => {
  const bmp = await readBmpMetadata(path)
  if (bmp) return { ...bmp, isLossyWebp: false }
  const metadata = await sharp(path, { limitInputPixels: false }).metadata()
  return { ...metadata, isLossyWebp: metadata.format === 'webp' && (await isLossyWebp(path)) }
}

/** Behind the signature of a WebP file come chunks: a name of four letters, the size, and the data, padded to even. */
const WEBP_SIGNATURE_BYTES = 12
const CHUNK_HEADER_BYTES = 8
/** Chunks that can come before the pixels of a lossy file without alpha: features, colour profile, and some unknown. */
const MAX_CHUNKS = 16

const isLossyWebp = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r')
  try {
    return (await firstPixelChunk(file)) === 'VP8 '
  } finally {
    await file.close()
  }
}

/** The first chunk that holds pixels: `VP8 ` lossy, `VP8L` lossless, `ALPH` alpha, `ANMF` a frame; null: none is near. */
const firstPixelChunk = async (file: FileHandle): Promise<string | null> => {
  const head = Buffer.alloc(CHUNK_HEADER_BYTES)
  let at = WEBP_SIGNATURE_BYTES
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
    const { bytesRead } = await file.read(head, 0, head.length, at)
    if (bytesRead < head.length) return null
    const name = head.toString('latin1', 0, 4)
    if (['VP8 ', 'VP8L', 'ALPH', 'ANMF'].includes(name)) return name
    const size = head.readUInt32LE(4)
    at += CHUNK_HEADER_BYTES + size + (size % 2)
  }
  return null
}

/** Samples of a pixel by JPEG's chroma subsampling. */
const samplesOf = ({ chromaSubsampling = '', channels }: Metadata): number => {
  if (channels === 1) return 1
  if (chromaSubsampling === '4:2:0') return 1.5
  if (chromaSubsampling === '4:2:2') return 2
  return channels
}

/** Bytes of a decoded pixel. */
const pixelBytesOf = ({ channels, depth }: Metadata): number =>
  channels * (sampleBytesOf[depth] ?? 1)

/** Bytes that turning a picture upright takes for each pixel. It is turned as a whole. */
export const turnedBytesOf = (header: FileHeader): number =>
  (header.orientation ?? 1) > 2 ? pixelBytesOf(header) : 0

/** What the decoder of a file holds of all its pixels, in bytes a pixel; 0: it yields rows. */
const heldBytesOf = (header: FileHeader, isShrunkOnLoad: boolean): number => {
  const { format, channels, depth, isProgressive = false } = header
  if (format === 'heif') return depth === 'ushort' ? heldBytes.avifOf10Bits : heldBytes.avif
  if (format === 'gif') return heldBytes.gif
  // A BMP, of which `decodeBmp` returns all pixels.
  if (format === 'raw') return channels
  if (format === 'webp') {
    if (isShrunkOnLoad) return header.isLossyWebp ? 0 : heldBytes.webp
    return heldBytes.webp + channels
  }
  if (!isProgressive) return 0
  if (format === 'png') {
    return heldBytes.interlacedPngSample * pixelBytesOf(header)
  }
  return format === 'jpeg' ? heldBytes.progressiveJpegSample * samplesOf(header) : 0
}

/**
 * The memory that decoding a file takes, in bytes, estimated from its header.
 *
 * @param keptBytes - Bytes for each pixel of the file that are kept behind the decoder: decoded pixels and their
 *   copies. Absent: the picture is reduced to a thumbnail while it is decoded.
 */
export const decodeMemory = (header: FileHeader, keptBytes?: number): number => {
  const { width, height, channels, format } = header
  const pixels = width * height
  const held = heldBytesOf(header, keptBytes === undefined) * pixels
  // JPEG and WebP are shrunk by their decoders.
  const isRowFormat = held === 0 && format !== 'jpeg' && format !== 'webp'
  const rows = isRowFormat
    ? pixelBytesOf(header) * width * Math.min(MAX_ROWS, height / 2)
    : 0.1 * pixels
  const kept = Math.max(0, (keptBytes ?? 0) - (format === 'heif' ? channels : 0)) * pixels
  return Math.round(BASE_BYTES + held + rows + kept)
}
