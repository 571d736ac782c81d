import { open } from 'node:fs/promises'

const HEAD_BYTES = 256

/** Returns the first bytes of a file, which name its format. Zeros fill up a very short file. */
export const headOf = async (path: string): Promise<Buffer> => {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, Math.max(bytesRead, 32))
  } finally {
    await file.close()
  }
}
