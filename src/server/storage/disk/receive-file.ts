import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { IncomingFile } from '#server/core/intake/file-ports.ts'
import { Refusal, tooLarge } from '#server/core/refusal.ts'
import { inFolder } from './make-folder.ts'
import { ignoreMissing, writeFailure } from './system-errors.ts'
import { FLUSH_BYTES, writeBlocks } from './write-blocks.ts'

/** Passes on the chunks of an upload. Throws as soon as they exceed the limit, or if the upload is interrupted. */
async function* within(
  maxBytes: number,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  const chunks = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await chunks.next().catch((cause: unknown) => {
        throw cause instanceof Refusal ? cause : new Refusal('upload_cut_off', undefined, { cause })
      })
      if (next.done === true) return
      bytes += next.value.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      yield next.value
    }
  } finally {
    await chunks.return?.().catch(() => undefined)
  }
}

/** Flushes a file while it is written. */
const earlyFlushes = (file: FileHandle) => {
  let flushedBytes = 0
  let isFlushing = false
  let flushing = Promise.resolve()
  return {
    /** Begins to flush, if much was written since. */
    after: (writtenBytes: number): void => {
      if (isFlushing || writtenBytes - flushedBytes < FLUSH_BYTES) return
      flushedBytes = writtenBytes
      isFlushing = true
      flushing = file.datasync()
      void flushing.then(
        () => {
          isFlushing = false
        },
        // No more flushes: the system reports an error of the disk only once.
        () => {},
      )
    },
    /** Waits for a flush that runs. Fails if one has failed. */
    ended: (): Promise<void> => flushing,
  }
}

/** @throws {Refusal} Same codes as `ImageFiles.receive`. The file is removed. */
export const receiveFile = async (
  folder: string,
  source: AsyncIterable<Uint8Array>,
  { maxBytes }: { maxBytes: number },
): Promise<IncomingFile> => {
  const path = join(folder, randomUUID())
  const file = await inFolder(folder, () => open(path, 'wx')).catch((error: unknown) => {
    throw writeFailure(error)
  })
  const hash = createHash('sha256')
  const flushes = earlyFlushes(file)
  let bytes = 0
  try {
    await writeBlocks(within(maxBytes, source), async (block) => {
      hash.update(block)
      // A write may accept fewer bytes than it was given.
      for (let done = 0; done < block.length; ) done += (await file.write(block, done)).bytesWritten
      bytes += block.length
      flushes.after(bytes)
    })
    await flushes.ended()
    await file.sync()
  } catch (error) {
    await flushes.ended().catch(() => undefined)
    await file.close().catch(() => undefined)
    await unlink(path).catch(ignoreMissing)
    throw writeFailure(error)
  }
  await file.close()
  return { path, bytes, contentHash: hash.digest('hex') }
}
