import { open } from 'node:fs/promises'
import type { Metadata } from 'sharp'

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

/** Returns sharp's metadata for a format that sharp does not read: pixels of eight bits in sRGB, without a profile. */
export const metadataOf = (
  format: 'raw' | 'jxl',
  { width, height, channels }: { width: number; height: number; channels: 3 | 4 },
): Metadata => ({
  format,
  width,
  height,
  autoOrient: { width, height },
  space: 'srgb',
  channels,
  depth: 'uchar',
  density: 72,
  chromaSubsampling: '',
  isProgressive: false,
  isPalette: false,
  hasProfile: false,
  hasAlpha: channels === 4,
})
