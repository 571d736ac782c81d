import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsync as fsyncOf,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ReadFile, TakenFile } from '#server/core/intake/file-intake.ts'
import { Refusal } from '#server/core/refusal.ts'
import { tooLarge } from './receive-file.ts'
import { ignoreMissing, isUnlinkable, writeFailure } from './system-errors.ts'
import { fileReason, systemPath } from './system-path.ts'
import { BLOCK_BYTES } from './write-blocks.ts'

// For the process that does nothing else. A call that waits for its file costs a tenth of one that is handed to
// another thread and back; only flushing, which waits for the disk, is worth the way.

const fsync = promisify(fsyncOf)

/** The coarsest dates that a file system in use keeps: FAT's. */
const DATE_STEP_MS = 2000

/** Never waits for who would write into a pipe. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** One is enough: no two files are read at once. */
const block = Buffer.allocUnsafeSlow(BLOCK_BYTES)

/**
 * Takes a file of this machine into `folder`, under a new name and flushed, as a hard link or as a copy.
 *
 * @throws {Refusal} as `FileIntake.takeIn`.
 */
export const takeInFile = async (
  folder: string,
  path: string,
  options: { maxBytes: number; link: boolean },
): Promise<TakenFile> =>
  reading(path, options.maxBytes, async (original, before) => {
    const target = join(folder, randomUUID())
    // Made again if somebody removed it while the server runs.
    mkdirSync(folder, { recursive: true })
    try {
      const isLinked = options.link && isLinkMade(path, target, before)
      const read = isLinked ? lookAt(original, before) : await copy(original, before, target)
      // What was written a moment ago by another program may not be on the disk yet.
      if (isLinked && process.platform !== 'win32') await fsync(original)
      return { path: target, isLinked, ...read }
    } catch (error) {
      removeIfThere(target)
      throw writeFailure(error)
    }
  })

/** Reads a file of this machine as `takeInFile` does. */
export const lookAtFile = (path: string, { maxBytes }: { maxBytes: number }): Promise<ReadFile> =>
  reading(path, maxBytes, async (original, before) => lookAt(original, before))

const reading = async <T>(
  path: string,
  maxBytes: number,
  work: (original: number, before: Stats) => Promise<T>,
): Promise<T> => {
  const original = unlessUnreadable(() => openSync(systemPath(path), READING))
  try {
    const before = fstatSync(original)
    if (!before.isFile()) throw new Refusal('unreadable_file', 'It is no file.')
    if (before.size > maxBytes) throw tooLarge(maxBytes)
    return await work(original, before)
  } finally {
    closeSync(original)
  }
}

const isLinkMade = (path: string, target: string, { dev, ino }: Stats): boolean => {
  try {
    // A link to a symbolic link would be one more symbolic link.
    linkSync(realpathSync(systemPath(path), { encoding: 'buffer' }), target)
  } catch (error) {
    if (isUnlinkable(error)) return false
    throw error
  }
  const linked = statSync(target)
  if (linked.dev !== dev || linked.ino !== ino) throw new Refusal('file_changed')
  return true
}

const removeIfThere = (path: string): void => {
  try {
    unlinkSync(path)
  } catch (error) {
    ignoreMissing(error)
  }
}

const lookAt = (original: number, before: Stats): ReadFile => through(original, before, () => {})

const copy = async (original: number, before: Stats, target: string): Promise<ReadFile> => {
  const file = openSync(target, 'wx')
  try {
    const read = through(original, before, (part) => {
      // One write may take less than it was given.
      for (let done = 0; done < part.length; ) done += writeSync(file, part, done)
    })
    await fsync(file)
    return read
  } finally {
    closeSync(file)
  }
}

/** Reads to the end, block by block, and finds out whether the file changed meanwhile. */
const through = (original: number, before: Stats, take: (part: Uint8Array) => void): ReadFile => {
  const hash = createHash('sha256')
  let bytes = 0
  for (;;) {
    const part = block.subarray(0, readInto(original, bytes))
    if (part.length === 0) break
    hash.update(part)
    take(part)
    bytes += part.length
    if (bytes > before.size) throw new Refusal('file_changed') // or one that grows for ever is read for ever
  }
  const after = fstatSync(original)
  if (bytes !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw new Refusal('file_changed')
  }
  const isFresh = Date.now() - before.mtimeMs < DATE_STEP_MS
  return { bytes, contentHash: hash.digest('hex'), modifiedAt: before.mtimeMs, isFresh }
}

const readInto = (original: number, position: number): number =>
  unlessUnreadable(() => readSync(original, block, 0, block.length, position))

const unlessUnreadable = <T>(read: () => T): T => {
  try {
    return read()
  } catch (cause) {
    throw new Refusal('unreadable_file', fileReason(cause), { cause })
  }
}
