import { createHash, randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { type FileHandle, link, open, realpath, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { TakenFile } from '#server/core/file-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { fileReason } from './file-reason.ts'
import { tooLarge } from './receive-file.ts'
import { ignoreMissing, systemCode, writeFailure } from './system-errors.ts'
import { systemPath } from './system-path.ts'
import { withBlock } from './write-blocks.ts'

type Looked = Pick<TakenFile, 'bytes' | 'contentHash' | 'modifiedAt' | 'isFresh'>

/** The coarsest dates that a file system in use keeps: FAT's. */
const DATE_STEP_MS = 2000

/**
 * Takes a file of this machine into `folder`, under a new name and flushed, as a hard link or as a copy.
 *
 * @throws {Refusal} as `ImageFiles.takeIn`.
 */
export const takeInFile = async (
  folder: string,
  path: string,
  options: { maxBytes: number; link: boolean },
): Promise<TakenFile> =>
  reading(path, options.maxBytes, async (original, before) => {
    const target = join(folder, randomUUID())
    try {
      const isLinked = options.link && (await isLinkMade(path, target, before))
      const looked = isLinked
        ? await lookAt(original, before)
        : await copy(original, before, target)
      // What was written a moment ago by another program may not be on the disk yet.
      if (isLinked && process.platform !== 'win32') await original.sync()
      return { path: target, isLinked, ...looked }
    } catch (error) {
      await unlink(target).catch(ignoreMissing)
      throw writeFailure(error)
    }
  })

/** Reads a file of this machine as `takeInFile` does. */
export const lookAtFile = (path: string, { maxBytes }: { maxBytes: number }): Promise<Looked> =>
  reading(path, maxBytes, lookAt)

const reading = async <T>(
  path: string,
  maxBytes: number,
  work: (original: FileHandle, before: Stats) => Promise<T>,
): Promise<T> => {
  const original = await open(systemPath(path), 'r').catch((error: unknown) => {
    throw unreadable(error)
  })
  try {
    const before = await original.stat()
    if (!before.isFile()) throw new Refusal('unreadable_file', 'It is no file.')
    if (before.size > maxBytes) throw tooLarge(maxBytes)
    return await work(original, before)
  } finally {
    await original.close()
  }
}

/** The faults of a system that say: this cannot be linked there, and may be copied. */
const UNLINKABLE = [
  'EXDEV',
  'EPERM',
  'EACCES',
  'EMLINK',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EINVAL',
]

const isLinkMade = async (path: string, target: string, { dev, ino }: Stats): Promise<boolean> => {
  try {
    // A link to a symbolic link would be one more symbolic link.
    await link(await realpath(systemPath(path), { encoding: 'buffer' }), target)
  } catch (error) {
    if (UNLINKABLE.includes(systemCode(error) ?? '')) return false
    throw error
  }
  const linked = await stat(target)
  if (linked.dev !== dev || linked.ino !== ino) throw new Refusal('file_changed')
  return true
}

const lookAt = (original: FileHandle, before: Stats): Promise<Looked> =>
  through(original, before, async () => {})

const copy = async (original: FileHandle, before: Stats, target: string): Promise<Looked> => {
  const file = await open(target, 'wx')
  try {
    const looked = await through(original, before, async (block) => {
      // One write may take less than it was given.
      for (let done = 0; done < block.length; ) done += (await file.write(block, done)).bytesWritten
    })
    await file.sync()
    return looked
  } finally {
    await file.close()
  }
}

/** Reads to the end, block by block, and finds out whether the file changed meanwhile. */
const through = async (
  original: FileHandle,
  before: Stats,
  take: (part: Uint8Array) => Promise<void>,
): Promise<Looked> => {
  const hash = createHash('sha256')
  const bytes = await withBlock(async (block) => {
    for (let read = 0; ; ) {
      const { bytesRead } = await original.read(block, 0, block.length, read).catch((error) => {
        throw unreadable(error)
      })
      if (bytesRead === 0) return read
      const part = block.subarray(0, bytesRead)
      hash.update(part)
      await take(part)
      read += bytesRead
      if (read > before.size) throw new Refusal('file_changed') // or one that grows for ever is read for ever
    }
  })
  const after = await original.stat()
  if (bytes !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw new Refusal('file_changed')
  }
  const isFresh = Date.now() - before.mtimeMs < DATE_STEP_MS
  return { bytes, contentHash: hash.digest('hex'), modifiedAt: before.mtimeMs, isFresh }
}

const unreadable = (cause: unknown): unknown =>
  new Refusal('unreadable_file', fileReason(cause), { cause })
