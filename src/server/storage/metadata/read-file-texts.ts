import { type FileHandle, open } from 'node:fs/promises'
import { brotliDecompressSync, inflateSync } from 'node:zlib'
import type { ImageMediaType } from '#contract/image.ts'
import { type ReadPart, readTiffBlock } from './read-tiff-block.ts'

/** A text in a file: a chunk of a PNG by its type, or a comment of a GIF. */
export interface TextPart {
  type: string
  at: number
  bytes: number
}

export interface FileText {
  keyword: string
  text: string
}

export interface FileTexts {
  comments: FileText[]
  /** An EXIF block, where the decoder finds none. */
  exif: Buffer | null
  /** An XMP packet, where the decoder finds none. */
  xmp: Buffer | null
}

/** Limit of bytes per text, before and after decompression. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024
/** Limit of all texts of a file. */
const MAX_BYTES = 16 * 1024 * 1024
/** More than any program writes. A hostile file could have millions of empty chunks. */
const MAX_TEXTS = 500
/** A JPEG has a few dozen segments before its pixels. */
const MAX_SEGMENTS = 5000
const BLOCK_BYTES = 64 * 1024

/** Reads parts of a file. Small parts come from a block. */
const reader = (file: FileHandle): ReadPart => {
  const block = Buffer.alloc(BLOCK_BYTES)
  let start = 0
  let length = 0
  return async (at: number, bytes: number): Promise<Buffer> => {
    if (bytes > BLOCK_BYTES) {
      const part = Buffer.alloc(bytes)
      return part.subarray(0, (await file.read(part, 0, bytes, at)).bytesRead)
    }
    if (at < start || at + bytes > start + length) {
      start = at
      length = (await file.read(block, 0, BLOCK_BYTES, at)).bytesRead
    }
    return Buffer.from(block.subarray(at - start, Math.min(at - start + bytes, length)))
  }
}

/** Decodes UTF-8, or Latin-1 if it is not valid UTF-8. Many programs write UTF-8 where the format wants Latin-1. */
export const decodeText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}

/** Returns no bytes if the input is broken or larger than the limit. */
const unpack = (
  bytes: Buffer,
  inflate: typeof inflateSync | typeof brotliDecompressSync,
): Buffer => {
  try {
    return inflate(bytes, { maxOutputLength: MAX_TEXT_BYTES })
  } catch {
    return Buffer.alloc(0)
  }
}

/** Splits the data of a chunk at its zero bytes into this number of parts, and the rest. */
const splitAtZeros = (data: Buffer, count: number): { parts: Buffer[]; rest: Buffer } | null => {
  const parts: Buffer[] = []
  let at = 0
  for (let part = 0; part < count; part += 1) {
    const zero = data.indexOf(0, at)
    if (zero < 0) return null
    parts.push(data.subarray(at, zero))
    at = zero + 1
    // Two flags follow the keyword of an international text.
    if (count > 1 && part === 0) at += 2
  }
  return { parts, rest: data.subarray(at) }
}

const pngText = (type: string, data: Buffer): { keyword: string; bytes: Buffer } | null => {
  const isInternational = type === 'iTXt'
  const split = splitAtZeros(data, isInternational ? 3 : 1)
  const keyword = split?.parts[0]
  if (split === null || keyword === undefined) return null
  const isCompressed = isInternational ? data[keyword.length + 1] === 1 : type === 'zTXt'
  const body = type === 'zTXt' ? split.rest.subarray(1) : split.rest
  return { keyword: decodeText(keyword), bytes: isCompressed ? unpack(body, inflateSync) : body }
}

const XMP_KEYWORD = 'XML:com.adobe.xmp'

/** Reads the texts of a PNG. The decoder reads only those before the pixels, and takes Latin-1 for UTF-8. */
const readPng = async (read: ReadPart, parts: readonly TextPart[]): Promise<FileTexts> => {
  const found: FileTexts = { comments: [], exif: null, xmp: null }
  let left = MAX_BYTES
  for (const { type, at, bytes } of parts) {
    if (bytes > MAX_TEXT_BYTES || left <= 0) continue
    const data = await read(at, bytes)
    const text = type === 'eXIf' ? null : pngText(type, data)
    left -= Math.max(data.length, text?.bytes.length ?? 0)
    if (type === 'eXIf') found.exif ??= data
    else if (text?.keyword === XMP_KEYWORD) found.xmp ??= text.bytes
    else if (text !== null) {
      found.comments.push({ keyword: text.keyword, text: decodeText(text.bytes) })
    }
  }
  return found
}

/** Reads the comments of a JPEG, which the decoder drops. */
const readJpeg = async (read: ReadPart): Promise<FileTexts> => {
  const comments: FileText[] = []
  let at = 2
  for (let segment = 0; segment < MAX_SEGMENTS && comments.length < MAX_TEXTS; segment += 1) {
    const head = await read(at, 4)
    const marker = head[1] ?? 0
    // The pixels follow 0xda, the start of scan.
    if (head.length < 4 || head[0] !== 0xff || marker === 0xda || marker === 0xd9) break
    if (marker === 0xff) {
      at += 1
      continue
    }
    const bytes = head.readUInt16BE(2)
    if (bytes < 2) break
    if (marker === 0xfe) {
      comments.push({ keyword: 'comment', text: decodeText(await read(at + 4, bytes - 2)) })
    }
    at += 2 + bytes
  }
  return { comments, exif: null, xmp: null }
}

/** Reads the comments of a GIF, which are in blocks of up to 255 bytes. */
const readGif = async (read: ReadPart, parts: readonly TextPart[]): Promise<FileTexts> => {
  const comments: FileText[] = []
  for (const { at, bytes } of parts) {
    const data = await read(at, Math.min(bytes, MAX_TEXT_BYTES))
    const blocks: Buffer[] = []
    for (let from = 0; from < data.length; from += 1 + (data[from] ?? 0)) {
      blocks.push(data.subarray(from + 1, from + 1 + (data[from] ?? 0)))
    }
    comments.push({ keyword: 'comment', text: decodeText(Buffer.concat(blocks)) })
  }
  return { comments, exif: null, xmp: null }
}

/** Reads the tags of a TIFF, of which the decoder returns none. */
const readTiff = async (read: ReadPart): Promise<FileTexts> => ({
  comments: [],
  exif: await readTiffBlock(read),
  xmp: null,
})

/** A JPEG XL has a dozen boxes. */
const MAX_BOXES = 500
const boxTypes = new Set(['Exif', 'xml ', 'brob'])

/** Reads the boxes of a JPEG XL container. A box `brob` has the type and the content of another, compressed by Brotli. */
const readJxl = async (read: ReadPart): Promise<FileTexts> => {
  const found: FileTexts = { comments: [], exif: null, xmp: null }
  let left = MAX_BYTES
  let at = 0
  for (let box = 0; box < MAX_BOXES; box += 1) {
    const head = await read(at, 16)
    if (head.length < 8) break
    const size = head.readUInt32BE()
    const type = head.toString('latin1', 4, 8)
    // 0: up to the end of the file. 1: a size of 64 bits follows.
    if (size === 0 || (size === 1 && head.length < 16)) break
    const headBytes = size === 1 ? 16 : 8
    const bytes = (size === 1 ? Number(head.readBigUInt64BE(8)) : size) - headBytes
    if (bytes < 0) break
    if (boxTypes.has(type) && bytes <= Math.min(MAX_TEXT_BYTES, left)) {
      const data = await read(at + headBytes, bytes)
      const isPacked = type === 'brob'
      const name = isPacked ? data.toString('latin1', 0, 4) : type
      const content =
        isPacked && boxTypes.has(name) ? unpack(data.subarray(4), brotliDecompressSync) : data
      left -= Math.max(data.length, content.length)
      if (name === 'xml ') found.xmp ??= content
      // The block follows its offset.
      if (name === 'Exif' && content.length > 4) {
        found.exif ??= content.subarray(4 + Math.min(content.readUInt32BE(), content.length))
      }
    }
    at += headBytes + bytes
  }
  return found
}

const readers: Partial<Record<ImageMediaType, typeof readPng>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/gif': readGif,
  'image/tiff': readTiff,
  'image/jxl': readJxl,
}

/**
 * Reads texts that the decoder does not return. Broken files yield the texts before the fault.
 *
 * @param parts - The texts that a walk through the file found.
 */
export const readFileTexts = async (
  path: string,
  mediaType: ImageMediaType,
  parts: readonly TextPart[],
): Promise<FileTexts> => {
  const read = readers[mediaType]
  const isWalked = mediaType === 'image/png' || mediaType === 'image/gif'
  if (read === undefined || (isWalked && parts.length === 0))
    return { comments: [], exif: null, xmp: null }
  await using file = await open(path, 'r')
  return await read(reader(file), parts)
}
