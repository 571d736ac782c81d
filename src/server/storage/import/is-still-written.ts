import { open } from 'node:fs/promises'
import { systemPath } from '#server/storage/disk/system-path.ts'

/** Bytes at the beginning of a file that tell whether it is complete. */
const HEAD_BYTES = 64 * 1024

/**
 * Returns true if a video says that more will follow: a recording of Matroska or WebM, whose size its writer adds at the
 * end, or an MP4 in fragments. Each part of such a file can be played, so that it looks like a complete video. A writer
 * that cannot go back leaves the file like that for good.
 */
export const isStillWritten = async (path: string): Promise<boolean> => {
  await using file = await open(systemPath(path), 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  const head = buffer.subarray(0, bytesRead)
  if (head.subarray(0, 4).equals(EBML)) return isOpenSegment(head, (await file.stat()).size)
  return head.toString('latin1', 4, 8) === 'ftyp' && head.includes('mvex')
}

const EBML = Buffer.from('1a45dfa3', 'hex')
const SEGMENT = Buffer.from('18538067', 'hex')

/** @param fileBytes - A shorter file than its segment is still copied. */
const isOpenSegment = (head: Buffer, fileBytes: number): boolean => {
  const at = head.indexOf(SEGMENT) + SEGMENT.length
  const length = Math.clz32(head[at] ?? 0) - 23
  if (at < SEGMENT.length || length > 8 || at + length > head.length) return false
  const mask = 2n ** BigInt(7 * length) - 1n
  const size = BigInt(`0x${head.toString('hex', at, at + length)}`) & mask
  return size === mask || BigInt(at + length) + size > BigInt(fileBytes)
}
