import { open } from 'node:fs/promises'
import type { ImageMediaType } from '#contract/image.ts'
import { Refusal } from '#server/core/refusal.ts'
import {
  decodeMemory,
  type FileHeader,
  MAX_PIXEL_MEMORY_BYTES,
  readFileHeader,
} from '#server/processes/decode-memory.ts'
import { systemCode } from '#server/storage/disk/system-errors.ts'
import { hasGifEnd, hasPngEnd } from './has-file-end.ts'
import { SNIFFED_BYTES, sniffFormat } from './sniff-format.ts'

/** A scanned document has a few pages. Ten thousand are an attack on programs that walk them. */
const MAX_TIFF_PAGES = 500

/** What a file's header says, before any pixel is decoded. */
export interface ImageHeader {
  mediaType: ImageMediaType
  /** Pixels of one page, as shown (EXIF orientation applied). */
  width: number
  height: number
  metadata: FileHeader
}

/** Reads the first bytes, and looks for the end of a GIF or PNG, which decoding the first frame would not miss. */
const sniff = async (path: string): Promise<ImageMediaType> => {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw systemCode(error) === 'ENOENT' ? new Refusal('image_not_found') : error
  })
  try {
    const { size } = await file.stat()
    if (size === 0) throw new Refusal('empty_file')
    const head = Buffer.alloc(Math.min(size, SNIFFED_BYTES))
    await file.read(head, 0, head.length, 0)
    const mediaType = sniffFormat(head)
    if (mediaType === 'image/gif' && !(await hasGifEnd(file))) throw new Refusal('damaged_image')
    if (mediaType === 'image/png' && !(await hasPngEnd(file, size))) {
      throw new Refusal('damaged_image')
    }
    return mediaType
  } finally {
    await file.close()
  }
}

/** @throws {Refusal} `too_many_pixels` if the work takes more memory than one file may. */
export const assertMemory = (
  { width, height }: Pick<ImageHeader, 'width' | 'height'>,
  bytes: number,
): void => {
  if (bytes <= MAX_PIXEL_MEMORY_BYTES) return
  const [needed, limit] = [bytes, MAX_PIXEL_MEMORY_BYTES].map((each) => Math.round(each / 1e6))
  const detail = `Failed to read image: ${width} x ${height} pixels in this format take ${needed} MB of memory; this server's limit is ${limit} MB.`
  throw new Refusal('too_many_pixels', detail)
}

/**
 * Reads a file's header and refuses a file that is too large to decode.
 *
 * @throws {Refusal} as `ImageCodec.decode`.
 */
export const readHeader = async (path: string, maxPixels: number): Promise<ImageHeader> => {
  const mediaType = await sniff(path)
  const metadata = await readFileHeader(path).catch((cause: unknown) => {
    throw new Refusal('damaged_image', undefined, { cause })
  })
  const { width, height } = metadata.autoOrient
  if (width * height > maxPixels) {
    const millions = Math.floor(maxPixels / 1e6)
    throw new Refusal(
      'too_many_pixels',
      `Failed to read image: ${width} x ${height} pixels are more than this server's limit of ${millions} million.`,
    )
  }
  assertMemory({ width, height }, decodeMemory(metadata))
  if (mediaType === 'image/tiff' && (metadata.pages ?? 1) > MAX_TIFF_PAGES) {
    throw new Refusal(
      'too_many_pages',
      `Failed to read image: more than ${MAX_TIFF_PAGES} pages in one file.`,
    )
  }
  return { mediaType, width, height, metadata }
}
