import { type FileHandle, open } from 'node:fs/promises'
import sharp, { type Metadata } from 'sharp'
import { MAX_DECODE_MEMORY_BYTES } from '#contract/limits.ts'
import { isBmpHead, readBmpMetadata } from './bmp.ts'
import { headOf } from './image-head.ts'
import { isAnimatedAvif, readAnimatedAvif } from './iso-media.ts'
import { isJxlHead, readJxlMetadata } from './jxl.ts'

/** Memory for the work on one file, in bytes. A decoding process itself takes up to 145 MB. */
export const MAX_PIXEL_MEMORY_BYTES = MAX_DECODE_MEMORY_BYTES - 160_000_000

/** Base memory of every decode. */
const BASE_BYTES = 16_000_000

/** Maximum number of rows in flight while a picture is reduced. For a low picture it is half of its rows. */
const MAX_ROWS = 1600

/** Bytes that a decoder holds per pixel, or per sample of a pixel. Measured with sharp 0.35. */
const heldBytes = {
  /** Planes, RGB, and copies of both, freed before the pixels are returned. */
  avif: 18.6,
  avifOf10Bits: 25,
  /** Planes and RGBA in libheif's WebAssembly, and a TIFF of the pixels. */
  heic: 14,
  /** Numbers of four bytes in jxl-oxide's WebAssembly, and a PNG of the pixels. */
  jxl: 44,
  /** A canvas and one frame. */
  gif: 5.3,
  /** ARGB pixels. A lossy file without alpha yields rows if it is shrunk during decoding. */
  webp: 4.3,
  /** Multiplied by the bytes of a sample. */
  interlacedPngSample: 1.2,
  /** Coefficients of two bytes, because no pixel is complete before the last scan. */
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

export type FileHeader = Metadata & {
  /** True for a lossy WebP without alpha and animation, which sharp does not distinguish from other WebPs. */
  isLossyWebp: boolean
}

/** @throws {Error} if the file cannot be read. */
export const readFileHeader = async (path: string): Promise<FileHeader> => {
  const head = await headOf(path)
  if (isBmpHead(head)) return { ...(await readBmpMetadata(path)), isLossyWebp: false }
  if (isJxlHead(head)) return { ...(await readJxlMetadata(path)), isLossyWebp: false }
  const source = isAnimatedAvif(head) ? await readAnimatedAvif(path) : path
  const metadata = await sharp(source, { limitInputPixels: false }).metadata()
  return { ...metadata, isLossyWebp: metadata.format === 'webp' && (await isLossyWebp(path)) }
}

/** After the signature of a WebP come chunks: a name of four letters, a size, and data padded to an even length. */
const WEBP_SIGNATURE_BYTES = 12
const CHUNK_HEADER_BYTES = 8
/** Maximum number of chunks before the pixels of a lossy file without alpha: features, color profile, others. */
const MAX_CHUNKS = 16

const isLossyWebp = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r')
  try {
    return (await firstPixelChunk(file)) === 'VP8 '
  } finally {
    await file.close()
  }
}

/** Returns the first chunk with pixels: `VP8 ` lossy, `VP8L` lossless, `ALPH` alpha, `ANMF` a frame. */
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

/** Returns the samples per pixel for JPEG's chroma subsampling. */
const samplesOf = ({ chromaSubsampling = '', channels }: Metadata): number => {
  if (channels === 1) return 1
  if (chromaSubsampling === '4:2:0') return 1.5
  if (chromaSubsampling === '4:2:2') return 2
  return channels
}

const pixelBytesOf = ({ channels, depth }: Metadata): number =>
  channels * (sampleBytesOf[depth] ?? 1)

/** Returns the bytes per pixel needed to rotate a picture upright. The whole picture must be in memory. */
export const turnedBytesOf = (header: FileHeader): number =>
  (header.orientation ?? 1) > 2 ? pixelBytesOf(header) : 0

/** Returns the bytes per pixel that the decoder holds; 0 if it yields rows. */
const heldBytesOf = (header: FileHeader, isShrunkOnLoad: boolean): number => {
  const { format, channels, depth, isProgressive = false } = header
  if (format === 'heif' && header.compression === 'hevc') return heldBytes.heic
  if (format === 'heif') return depth === 'ushort' ? heldBytes.avifOf10Bits : heldBytes.avif
  if (format === 'jxl') return heldBytes.jxl
  if (format === 'gif') return heldBytes.gif
  // BMP: `decodeBmp` returns all pixels.
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
 * Estimates the memory of decoding a file from its header, in bytes.
 *
 * @param retainedBytes - Bytes per pixel retained after decoding: decoded pixels and their copies. Absent: the
 *   picture is reduced to a thumbnail during decoding.
 */
export const decodeMemory = (header: FileHeader, retainedBytes?: number): number => {
  const { width, height, channels, format } = header
  const pixels = width * height
  const held = heldBytesOf(header, retainedBytes === undefined) * pixels
  // The decoders of JPEG and WebP shrink pictures themselves.
  const isRowFormat = held === 0 && format !== 'jpeg' && format !== 'webp'
  const rows = isRowFormat
    ? pixelBytesOf(header) * width * Math.min(MAX_ROWS, height / 2)
    : 0.1 * pixels
  const retained = Math.max(0, (retainedBytes ?? 0) - (format === 'heif' ? channels : 0)) * pixels
  return Math.round(BASE_BYTES + held + rows + retained)
}
