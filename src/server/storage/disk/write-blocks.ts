import { open } from 'node:fs/promises'

/** Writes larger than node's own 16 KB are half as fast again; beyond this size nothing more is gained. */
export const BLOCK_BYTES = 256 * 1024

/** Blocks that lie ready for the next file: without them each one of a few kilobytes would claim a whole one anew. */
const MAX_IDLE_BLOCKS = 16
const idleBlocks: Buffer[] = []

/** Lends a block for some work, whatever lies in it. */
export const withBlock = async <T>(work: (block: Buffer) => Promise<T>): Promise<T> => {
  const block = idleBlocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)
  try {
    return await work(block)
  } finally {
    if (idleBlocks.length < MAX_IDLE_BLOCKS) idleBlocks.push(block)
  }
}

/**
 * Gathers chunks of any size into blocks and hands each full one to `write`; the last one may be short.
 * Takes the next chunk only when the block is written, so memory stays at one block.
 */
export const writeBlocks = (
  chunks: AsyncIterable<Uint8Array>,
  write: (block: Uint8Array) => Promise<void>,
): Promise<void> =>
  withBlock(async (block) => {
    let filled = 0
    for await (const chunk of chunks) {
      for (let taken = 0; taken < chunk.length; ) {
        const part = chunk.subarray(taken, taken + BLOCK_BYTES - filled)
        block.set(part, filled)
        taken += part.length
        filled += part.length
        if (filled < BLOCK_BYTES) continue
        await write(block)
        filled = 0
      }
    }
    if (filled > 0) await write(block.subarray(0, filled))
  })

/** Makes renames and new names in a directory survive a power cut. */
export const flushDirectory = async (path: string): Promise<void> => {
  // Windows cannot open a directory; its file system journals renames itself.
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
