import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { BLOCK_BYTES } from './write-blocks.ts'

/** Returns the SHA-256 of a file, hexadecimal. Uses constant memory. */
export const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: BLOCK_BYTES }), hash)
  return hash.digest('hex')
}

/** Flushes a file, so that its bytes survive a power failure. */
export const flushFile = async (path: string): Promise<void> => {
  // A copy of a read-only file is read-only too and cannot be opened for writing, but Windows flushes only files
  // that are open for writing.
  await using file = await open(path, process.platform === 'win32' ? 'r+' : 'r')
  await file.sync()
}
