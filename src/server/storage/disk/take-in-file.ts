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
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ReadFile, SizeLimits, TakenFile } from '#server/core/intake/file-intake.ts'
import { Refusal, tooLarge } from '#server/core/refusal.ts'
import { kindOfHead, SNIFFED_BYTES } from '#server/storage/thumbnails/sniff-format.ts'
import { isUnlinkable, writeFailure } from './system-errors.ts'
import { fileReason, systemPath } from './system-path.ts'
import { BLOCK_BYTES } from './write-blocks.ts'

// Sync I/O on purpose: this runs in a dedicated process, and a sync call costs a tenth of a trip through the thread
// pool. Only fsync is async, because it waits for the disk.

const fsync = promisify(fsyncOf)

/** The coarsest step of modification times among file systems in use (FAT). */
const DATE_STEP_MS = 2000

/** `O_NONBLOCK`: opening a pipe must not wait for a writer. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** One block is enough: reads are synchronous, so no two files are read at the same time. */
const block = Buffer.allocUnsafeSlow(BLOCK_BYTES)

/** Stages a local file in `folder`. @throws {Refusal} Same codes as `FileIntake.takeIn`. */
export const takeInFile = async (
  folder: string,
  path: string,
  options: SizeLimits & { link: boolean },
): Promise<TakenFile> =>
  reading(path, options, async (original, before) => {
    const target = join(folder, randomUUID())
    // The folder may have been removed while the server runs.
    mkdirSync(folder, { recursive: true })
    try {
      const isLinked = options.link && isLinkMade(path, target, before)
      const read = isLinked ? lookAt(original, before) : await copy(original, before, target)
      // A file that another program wrote a moment ago may not be on the disk yet.
      if (isLinked && process.platform !== 'win32') await fsync(original)
      return { path: target, isLinked, ...read }
    } catch (error) {
      rmSync(target, { force: true })
      throw writeFailure(error)
    }
  })

/** Reads and hashes a local file without taking it in. */
export const lookAtFile = (path: string, limits: SizeLimits): Promise<ReadFile> =>
  reading(path, limits, async (original, before) => lookAt(original, before))

const reading = async <T>(
  path: string,
  limits: SizeLimits,
  work: (original: number, before: Stats) => Promise<T>,
): Promise<T> => {
  const original = refuseUnreadable(() => openSync(systemPath(path), READING))
  try {
    const before = fstatSync(original)
    if (!before.isFile()) throw new Refusal('unreadable_file', 'It is no file.')
    assertSize(original, before, limits)
    return await work(original, before)
  } finally {
    closeSync(original)
  }
}

/** Reads the beginning of a file only if its kind matters. */
const assertSize = (
  original: number,
  { size }: Stats,
  { maxBytes, maxVideoBytes = maxBytes }: SizeLimits,
): void => {
  if (size <= maxBytes && size <= maxVideoBytes) return
  const head = Buffer.alloc(SNIFFED_BYTES)
  const length = refuseUnreadable(() => readSync(original, head, 0, SNIFFED_BYTES, 0))
  const max = kindOfHead(head.subarray(0, length)) === 'video' ? maxVideoBytes : maxBytes
  if (size > max) throw tooLarge(max)
}

const isLinkMade = (path: string, target: string, { dev, ino }: Stats): boolean => {
  try {
    // A hard link to a symbolic link would only be another symbolic link.
    linkSync(realpathSync(systemPath(path), { encoding: 'buffer' }), target)
  } catch (error) {
    if (isUnlinkable(error)) return false
    throw error
  }
  const linked = statSync(target)
  if (linked.dev !== dev || linked.ino !== ino) throw new Refusal('file_changed')
  return true
}

const lookAt = (original: number, before: Stats): ReadFile => readToEnd(original, before, () => {})

const copy = async (original: number, before: Stats, target: string): Promise<ReadFile> => {
  const file = openSync(target, 'wx')
  try {
    const read = readToEnd(original, before, (part) => {
      // A write may accept fewer bytes than it was given.
      for (let done = 0; done < part.length; ) done += writeSync(file, part, done)
    })
    await fsync(file)
    return read
  } finally {
    closeSync(file)
  }
}

/** Reads a file to its end in blocks, and refuses it if it changed in the meantime. */
const readToEnd = (original: number, before: Stats, take: (part: Uint8Array) => void): ReadFile => {
  const hash = createHash('sha256')
  let bytes = 0
  for (;;) {
    const part = block.subarray(0, readInto(original, bytes))
    if (part.length === 0) break
    hash.update(part)
    take(part)
    bytes += part.length
    if (bytes > before.size) throw new Refusal('file_changed') // a file that keeps growing would be read forever
  }
  const after = fstatSync(original)
  if (bytes !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw new Refusal('file_changed')
  }
  const isFresh = Date.now() - before.mtimeMs < DATE_STEP_MS
  return { bytes, contentHash: hash.digest('hex'), modifiedAt: before.mtimeMs, isFresh }
}

const readInto = (original: number, position: number): number =>
  refuseUnreadable(() => readSync(original, block, 0, block.length, position))

const refuseUnreadable = <T>(read: () => T): T => {
  try {
    return read()
  } catch (cause) {
    throw new Refusal('unreadable_file', fileReason(cause), { cause })
  }
}
