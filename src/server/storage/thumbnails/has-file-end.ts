import type { FileHandle } from 'node:fs/promises'

const PNG_SIGNATURE_BYTES = 8
/** Length, type and checksum of a PNG chunk. */
const PNG_CHUNK_BYTES = 12
/** `IEND` */
const PNG_END = 0x49454e44

const HEADER_BYTES = 13
const BLOCK_BYTES = 64 * 1024

const EXTENSION = 0x21
const FRAME = 0x2c
const TRAILER = 0x3b

/**
 * Whether the chunks of a PNG lead to its end. The decoder accepts a file without one, and of an animation it
 * decodes only the first frame.
 */
export async function hasPngEnd(file: FileHandle, fileBytes: number): Promise<boolean> {
  const block = Buffer.alloc(BLOCK_BYTES)
  for (let at = PNG_SIGNATURE_BYTES; at + PNG_CHUNK_BYTES <= fileBytes; ) {
    const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, at)
    if (bytesRead < PNG_CHUNK_BYTES) return false
    // All chunks that begin in this block, so that many small ones cost few reads.
    let offset = 0
    while (offset + PNG_CHUNK_BYTES <= bytesRead) {
      if (block.readUInt32BE(offset + 4) === PNG_END) return true
      offset += PNG_CHUNK_BYTES + block.readUInt32BE(offset)
    }
    at += offset
  }
  return false
}

/**
 * Whether the blocks of a GIF lead to its end. What stands behind it counts for nothing: browsers do not
 * look there, and the decoder, which leaves out a frame that is cut off, does not say so.
 */
export async function hasGifEnd(file: FileHandle): Promise<boolean> {
  const byteAt = bytesOf(file)
  let at = HEADER_BYTES + colourBytes(await byteAt(10))
  for (;;) {
    const kind = await byteAt(at)
    if (kind === TRAILER) return true
    if (kind === EXTENSION) at += 2
    else if (kind === FRAME) at += 11 + colourBytes(await byteAt(at + 9))
    else return false
    // Pieces of up to 255 bytes, each behind its size; one of none ends the block.
    for (let size = -1; size !== 0; at += size + 1) {
      size = (await byteAt(at)) ?? Number.NaN
      if (Number.isNaN(size)) return false
    }
  }
}

/** The bytes of a colour table, by the flags that announce it. */
const colourBytes = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Single bytes of a file, read by the block; undefined behind its end. */
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
