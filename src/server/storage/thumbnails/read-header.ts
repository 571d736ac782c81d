import { type FileHandle, open } from 'node:fs/promises'
import type { ImageMediaType } from '#contract/image.ts'
import { Refusal } from '#server/core/refusal.ts'
import {
  decodeMemory,
  type FileHeader,
  MAX_PIXEL_MEMORY_BYTES,
  readFileHeader,
} from '#server/processes/decode-memory.ts'
import { isAnimatedAvif } from '#server/processes/iso-media.ts'
import { systemCode } from '#server/storage/disk/system-errors.ts'
import type { TextPart } from '#server/storage/metadata/read-file-texts.ts'
import { SNIFFED_BYTES, sniffFormat } from './sniff-format.ts'

/** A scanned document has a few pages. Ten thousand pages are an attack on programs that walk through all of them. */
const MAX_TIFF_PAGES = 500

/** The header of a file, read before any pixel is decoded. */
export interface ImageHeader {
  mediaType: ImageMediaType
  /** Size of one page in pixels, with EXIF orientation applied. */
  width: number
  height: number
  /** True if the file has several frames. The pages of a TIFF are no frames. */
  isAnimated: boolean
  metadata: FileHeader
  textParts: readonly TextPart[]
}

interface Walk {
  hasEnd: boolean
  isAnimated: boolean
  textParts: TextPart[]
}

interface Sniffed extends Walk {
  mediaType: ImageMediaType
}

/** Also looks for the end of a GIF or PNG: decoding the first frame does not notice that it is missing. */
const sniff = async (path: string): Promise<Sniffed> => {
  await using file = await open(path, 'r').catch((error: unknown) => {
    throw systemCode(error) === 'ENOENT' ? new Refusal('image_not_found') : error
  })
  const { size } = await file.stat()
  if (size === 0) throw new Refusal('empty_file')
  const head = Buffer.alloc(Math.min(size, SNIFFED_BYTES))
  await file.read(head, 0, head.length, 0)
  const mediaType = sniffFormat(head)
  let walk: Walk = { hasEnd: true, isAnimated: isAnimatedAvif(head), textParts: [] }
  if (mediaType === 'image/png') walk = await readPngChunks(file, size)
  if (mediaType === 'image/gif') walk = await readGifBlocks(file)
  if (!walk.hasEnd) throw new Refusal('damaged_image')
  return { mediaType, ...walk }
}

/** @throws {Refusal} `too_many_pixels` if the work needs more memory than one file may use. */
export const assertMemory = (
  { width, height }: Pick<ImageHeader, 'width' | 'height'>,
  bytes: number,
): void => {
  if (bytes <= MAX_PIXEL_MEMORY_BYTES) return
  const [needed, limit] = [bytes, MAX_PIXEL_MEMORY_BYTES].map((each) => Math.round(each / 1e6))
  const detail = `Failed to read image: ${width} x ${height} pixels in this format take ${needed} MB of memory; this server's limit is ${limit} MB.`
  throw new Refusal('too_many_pixels', detail)
}

/** @throws {Refusal} Same codes as `ImageCodec.decode`, for example if the file is too large to decode. */
export const readHeader = async (path: string, maxPixels: number): Promise<ImageHeader> => {
  const { mediaType, isAnimated: isMarkedAnimated, textParts } = await sniff(path)
  const metadata = await readFileHeader(path).catch((cause: unknown) => {
    throw new Refusal('damaged_image', undefined, { cause })
  })
  const { width, height } = metadata.autoOrient
  if (width * height > maxPixels) {
    throw new Refusal(
      'too_many_pixels',
      `Failed to read image: ${width} x ${height} pixels are more than this server's limit of ${maxPixels.toLocaleString('en')}.`,
    )
  }
  assertMemory({ width, height }, decodeMemory(metadata))
  if (mediaType === 'image/tiff' && (metadata.pages ?? 1) > MAX_TIFF_PAGES) {
    throw new Refusal(
      'too_many_pages',
      `Failed to read image: more than ${MAX_TIFF_PAGES} pages in one file.`,
    )
  }
  const hasFrames = mediaType === 'image/gif' || mediaType === 'image/webp'
  const isAnimated = isMarkedAnimated || (hasFrames && (metadata.pages ?? 1) > 1)
  return { mediaType, width, height, isAnimated, metadata, textParts }
}

const PNG_SIGNATURE_BYTES = 8
/** Size of the length, type and checksum of a PNG chunk. */
const PNG_CHUNK_BYTES = 12
/** `tEXt`, `zTXt`, `iTXt` and `eXIf` */
const PNG_TEXTS = new Set([0x74455874, 0x7a545874, 0x69545874, 0x65584966])
/** More than any program writes. A hostile file could have millions of empty ones. */
const MAX_TEXT_PARTS = 500
/** `IEND` */
const PNG_END = 0x49454e44
/** `acTL`. It tells how many frames follow, and only an animated PNG has it. */
const PNG_ANIMATION = 0x6163544c

const HEADER_BYTES = 13
const BLOCK_BYTES = 64 * 1024

const EXTENSION = 0x21
const FRAME = 0x2c
const TRAILER = 0x3b
const COMMENT = 0xfe

/**
 * Looks for the end of a PNG, its animation and its texts. The decoder accepts a file without an end, decodes only the
 * first frame, and drops texts after the pixels.
 */
async function readPngChunks(file: FileHandle, fileBytes: number): Promise<Walk> {
  let isAnimated = false
  const textParts: TextPart[] = []
  const block = Buffer.alloc(BLOCK_BYTES)
  for (let at = PNG_SIGNATURE_BYTES; at + PNG_CHUNK_BYTES <= fileBytes; ) {
    const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, at)
    if (bytesRead < PNG_CHUNK_BYTES) break
    // Handles all chunks that begin in this block, so that many small chunks need few reads.
    let offset = 0
    while (offset + PNG_CHUNK_BYTES <= bytesRead) {
      const type = block.readUInt32BE(offset + 4)
      if (type === PNG_END) return { hasEnd: true, isAnimated, textParts }
      isAnimated ||= type === PNG_ANIMATION
      const bytes = block.readUInt32BE(offset)
      if (PNG_TEXTS.has(type) && textParts.length < MAX_TEXT_PARTS) {
        const name = block.toString('latin1', offset + 4, offset + 8)
        textParts.push({ type: name, at: at + offset + 8, bytes })
      }
      offset += PNG_CHUNK_BYTES + bytes
    }
    at += offset
  }
  return { hasEnd: false, isAnimated, textParts }
}

/**
 * Looks for the end of a GIF and its comments. More bytes may follow the end. The decoder skips an incomplete frame and
 * drops comments.
 */
async function readGifBlocks(file: FileHandle): Promise<Walk> {
  const byteAt = bytesOf(file)
  const textParts: TextPart[] = []
  const walk = { hasEnd: false, isAnimated: false, textParts }
  let at = HEADER_BYTES + colorBytes(await byteAt(10))
  for (;;) {
    const kind = await byteAt(at)
    if (kind === TRAILER) return { ...walk, hasEnd: true }
    const isComment = kind === EXTENSION && (await byteAt(at + 1)) === COMMENT
    const start = at + 2
    if (kind === EXTENSION) at += 2
    else if (kind === FRAME) at += 11 + colorBytes(await byteAt(at + 9))
    else return walk
    // Sub-blocks of up to 255 bytes, each preceded by its size. Size 0 ends the block.
    for (let size = -1; size !== 0; at += size + 1) {
      size = (await byteAt(at)) ?? Number.NaN
      if (Number.isNaN(size)) return walk
    }
    if (isComment && textParts.length < MAX_TEXT_PARTS) {
      textParts.push({ type: 'comment', at: start, bytes: at - start })
    }
  }
}

/** Returns the size of a color table in bytes, given its flags. */
const colorBytes = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Reads single bytes of a file through a block buffer. Returns undefined beyond the end. */
function bytesOf(file: FileHandle): (position: number) => Promise<number | undefined> {
  const block = Buffer.alloc(BLOCK_BYTES)
  let start = 0
  let length = 0
  return async (position) => {
    if (position < start || position >= start + length) {
      start = position
      length = (await file.read(block, 0, BLOCK_BYTES, position)).bytesRead
    }
    return position < start + length ? block[position - start] : undefined
  }
}
