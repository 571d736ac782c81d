import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FileHeader } from '#server/processes/decode-memory.ts'
import type { Pixels as Picture } from '#server/processes/draw-thumbnail.ts'
import { openWithSharp } from '#server/processes/open-with-sharp.ts'

/**
 * Text in the lowest bits of pixels ("stealth"), column by column: a signature, the length in bits (32 bits), and UTF-8,
 * plain or gzipped. NovelAI and an extension of A1111 write it, so that it survives the loss of text chunks.
 */
const signatures = {
  stealth_pnginfo: { mode: 'alpha', isCompressed: false },
  stealth_pngcomp: { mode: 'alpha', isCompressed: true },
  stealth_rgbinfo: { mode: 'rgb', isCompressed: false },
  stealth_rgbcomp: { mode: 'rgb', isCompressed: true },
} as const
type Mode = 'alpha' | 'rgb'

const SIGNATURE_BYTES = 15
const HEAD_BYTES = SIGNATURE_BYTES + 4
const MAX_PAYLOAD_BYTES = 1024 * 1024
const MAX_TEXT_BYTES = 4 * 1024 * 1024
/** `st`. Almost no other file has these 16 bits, so that a few rows of pixels are enough to tell. */
const FIRST_BYTES = 2

const bitsPerPixel: Record<Mode, number> = { alpha: 1, rgb: 3 }

/** Returns the modes that a file may use. Interlaced and lossy files have none: a few rows of them cost a whole decode. */
const modesOf = (header: FileHeader): Mode[] => {
  const { format, depth, channels, hasAlpha, isProgressive = false, pages = 1 } = header
  if (depth !== 'uchar' || isProgressive || pages > 1 || channels < 3) return []
  if (header.isPalette) return []
  if (format === 'png') return hasAlpha ? ['alpha', 'rgb'] : ['rgb']
  return format === 'webp' && !header.isLossyWebp && hasAlpha ? ['alpha'] : []
}

interface Pixels {
  data: Buffer
  columns: number
  rows: number
  channels: number
}

const readBytes = (pixels: Pixels, mode: Mode, from: number, count: number): Buffer => {
  const { data, columns, rows, channels } = pixels
  const perPixel = bitsPerPixel[mode]
  const first = mode === 'alpha' ? channels - 1 : 0
  const bytes = Buffer.alloc(count)
  for (let bit = 0; bit < count * 8; bit++) {
    const position = from * 8 + bit
    const pixel = Math.floor(position / perPixel)
    const row = pixel % rows
    const column = (pixel - row) / rows
    const value = data[(row * columns + column) * channels + first + (position % perPixel)] ?? 0
    bytes[bit >> 3] = ((bytes[bit >> 3] ?? 0) << 1) | (value & 1)
  }
  return bytes
}

interface Options {
  limitInputPixels: number
  sequentialRead: boolean
}

/** Decodes the leftmost columns with the first bytes, and no more rows than needed. */
const decodeFor = async (
  path: string,
  { width, height, hasAlpha }: FileHeader,
  options: Options,
  mode: Mode,
  byteCount: number,
): Promise<Pixels | null> => {
  const pixels = Math.ceil((byteCount * 8) / bitsPerPixel[mode])
  const columns = Math.ceil(pixels / height)
  const rows = columns === 1 ? Math.min(pixels, height) : height
  if (columns > width) return null
  const image = await openWithSharp(path, { ...options, ignoreIcc: true })
  const { data, info } = await image
    .extract({ left: 0, top: 0, width: columns, height: rows })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const isComplete = info.channels === (hasAlpha ? 4 : 3)
  return isComplete
    ? { data, columns, rows: columns === 1 ? height : rows, channels: info.channels }
    : null
}

const isSignature = (text: string): text is keyof typeof signatures =>
  Object.hasOwn(signatures, text)

const textOf = async (payload: Buffer, isCompressed: boolean): Promise<string | null> => {
  const bytes = isCompressed
    ? await promisify(gunzip)(payload, { maxOutputLength: MAX_TEXT_BYTES }).catch(() => null)
    : payload
  return bytes === null || bytes.length === 0 ? null : bytes.toString('utf8')
}

const readIn = async (
  path: string,
  header: FileHeader,
  options: Options,
  mode: Mode,
): Promise<string | null> => {
  const head = await decodeFor(path, header, options, mode, HEAD_BYTES)
  if (head === null) return null
  const signature = readBytes(head, mode, 0, SIGNATURE_BYTES).toString('latin1')
  if (!isSignature(signature) || signatures[signature].mode !== mode) return null
  const byteCount = readBytes(head, mode, SIGNATURE_BYTES, 4).readUInt32BE() / 8
  if (!Number.isInteger(byteCount) || byteCount > MAX_PAYLOAD_BYTES) return null
  const pixels = await decodeFor(path, header, options, mode, HEAD_BYTES + byteCount)
  if (pixels === null) return null
  return textOf(readBytes(pixels, mode, HEAD_BYTES, byteCount), signatures[signature].isCompressed)
}

/** A text in the lowest bit leaves an alpha of 254 or 255. */
const isOpaque = ({ bytes, channels }: Picture): boolean => {
  if (channels !== 4) return true
  for (let at = 3; at < bytes.length; at += 4) if ((bytes[at] ?? 0) < 254) return false
  return true
}

/**
 * Returns the text that is hidden in the pixels of a PNG or lossless WebP. null: no text was found, or it is damaged.
 *
 * @param reduced - The picture that was drawn from the file, if there is one. A WebP has to be decoded a second time to
 *   find a text, so that a transparent one is left out.
 */
export const readHiddenText = async (
  path: string,
  header: FileHeader,
  options: Options,
  reduced: Picture | null = null,
): Promise<string | null> => {
  if (header.format === 'webp' && reduced !== null && !isOpaque(reduced)) return null
  const modes = modesOf(header)
  // The alpha channel needs more pixels than the colors, so that one decode serves both.
  const [first] = modes
  const start = first && (await decodeFor(path, header, options, first, FIRST_BYTES))
  if (!start) return null
  const mode = modes.find(
    (each) => readBytes(start, each, 0, FIRST_BYTES).toString('latin1') === 'st',
  )
  return mode === undefined ? null : readIn(path, header, options, mode)
}
