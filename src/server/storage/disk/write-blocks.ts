import { open } from 'node:fs/promises'

/** Writes of this size are 50% faster than Node's 16 KB writes. Larger ones bring no further gain. */
export const BLOCK_BYTES = 256 * 1024

/** A large file is flushed after each part of this size, so that the disk writes while the rest arrives. */
export const FLUSH_BYTES = 32 * 1024 * 1024

/** Without reuse, each file of a few kilobytes would allocate a whole block. */
const MAX_IDLE_BLOCKS = 16
const idleBlocks: Buffer[] = []

/**
 * Collects chunks of any size into blocks and passes each full block to `write`; the last one may be shorter. The next
 * block fills while one is written, so that memory stays at two blocks. A failed write ends it with the next block.
 */
export const writeBlocks = async (
  chunks: AsyncIterable<Uint8Array>,
  write: (block: Uint8Array) => Promise<void>,
): Promise<void> => {
  let [block, spare] = [takeBlock(), undefined as Buffer | undefined]
  let writing = Promise.resolve()
  const pass = async (part: Uint8Array) => {
    await writing
    writing = write(part)
    // The error is thrown by the next `await`.
    writing.catch(() => {})
  }
  try {
    let filled = 0
    for await (const chunk of chunks) {
      for (let taken = 0; taken < chunk.length; ) {
        const part = chunk.subarray(taken, taken + BLOCK_BYTES - filled)
        block.set(part, filled)
        taken += part.length
        filled += part.length
        if (filled < BLOCK_BYTES) continue
        await pass(block)
        ;[block, spare] = [spare ?? takeBlock(), block]
        filled = 0
      }
    }
    if (filled > 0) await pass(block.subarray(0, filled))
    await writing
  } finally {
    await writing.catch(() => {})
    for (const used of [block, spare]) if (used) giveBack(used)
  }
}

const takeBlock = (): Buffer => idleBlocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)

const giveBack = (block: Buffer): void => {
  if (idleBlocks.length < MAX_IDLE_BLOCKS) idleBlocks.push(block)
}

/** Flushes a directory, so that renames and new names in it survive a power failure. */
export const flushDirectory = async (path: string): Promise<void> => {
  // Windows cannot open a directory; NTFS journals renames itself.
  if (process.platform === 'win32') return
  await using directory = await open(path, 'r')
  await directory.sync()
}
