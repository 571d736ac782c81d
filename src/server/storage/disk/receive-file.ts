import { createHash, randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { IncomingFile } from '#server/core/intake/file-ports.ts'
import { Refusal, tooLarge } from '#server/core/refusal.ts'
import { inFolder } from './make-folder.ts'
import { ignoreMissing, writeFailure } from './system-errors.ts'
import { writeBlocks } from './write-blocks.ts'

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
  let bytes = 0
  try {
    await writeBlocks(within(maxBytes, source), async (block) => {
      hash.update(block)
      // A write may accept fewer bytes than it was given.
      for (let done = 0; done < block.length; ) done += (await file.write(block, done)).bytesWritten
      bytes += block.length
    })
    await file.sync()
  } catch (error) {
    await file.close().catch(() => undefined)
    await unlink(path).catch(ignoreMissing)
    throw writeFailure(error)
  }
  await file.close()
  return { path, bytes, contentHash: hash.digest('hex') }
}
