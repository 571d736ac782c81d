import type { Metadata } from 'sharp'

/** Memory of any decode: rows in flight and the reduced picture. */
const BASE_BYTES = 16_000_000

/** What libheif and its decoder hold for a pixel of an AVIF: planes, RGB, and copies of both. */
const AVIF_BYTES = 18.6
const AVIF_DEEP_BYTES = 25

/** A GIF's canvas and one frame. */
const GIF_BYTES = 5.1

/** A lossless WebP. A lossy one takes almost nothing, and the header that sharp gives does not tell them apart. */
const WEBP_BYTES = 7

/** Rows of a strip or a tile, and what a reader holds of them. */
const ROWS_BYTES = 1.1

/** The decoder of an interlaced PNG holds the whole picture, and a little more. */
const INTERLACED_FACTOR = 1.17

/** Samples of a pixel by JPEG's chroma subsampling. */
const samplesOf = ({ chromaSubsampling = '', channels }: Metadata): number => {
  if (channels === 1) return 1
  if (chromaSubsampling === '4:2:0') return 1.5
  if (chromaSubsampling === '4:2:2') return 2
  return channels
}

/**
 * The memory that decoding a file takes, in bytes, estimated from its header. Measured with sharp 0.35;
 * formats whose decoder yields rows need little, all others hold every pixel.
 *
 * @returns `isCertain`: every file with this header takes about that much, not only the worst.
 */
export const decodeMemory = (header: Metadata): { bytes: number; isCertain: boolean } => {
  const { width, height, channels, format, depth, isProgressive = false } = header
  const pixels = width * height
  const sampleBytes = depth === 'ushort' ? 2 : 1
  const of = (pixelBytes: number, isCertain: boolean) => ({
    bytes: BASE_BYTES + Math.round(pixels * pixelBytes),
    isCertain,
  })
  if (format === 'heif') {
    return of(depth === 'ushort' ? AVIF_DEEP_BYTES : AVIF_BYTES, true)
  }
  // A progressive JPEG is decoded from its coefficients, of two bytes each, when all scans are read.
  if (format === 'jpeg') return isProgressive ? of(2.1 * samplesOf(header), true) : of(0.1, false)
  if (format === 'png' && isProgressive) return of(INTERLACED_FACTOR * channels * sampleBytes, true)
  if (format === 'gif') return of(GIF_BYTES, false)
  if (format === 'webp') return of(WEBP_BYTES, false)
  return of(ROWS_BYTES, false)
}
