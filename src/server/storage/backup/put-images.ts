import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import pLimit from 'p-limit'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { imagePath } from '#server/storage/disk/image-path.ts'
import { setModeByFolder } from '#server/storage/disk/make-folder.ts'
import { ignoreMissing, systemCode, tryLink } from '#server/storage/disk/system-errors.ts'
import { fileReason } from '#server/storage/disk/system-path.ts'
import { targetFailure } from '#server/storage/disk/target-folder.ts'
import { flushFile, hashFile } from '#server/storage/disk/whole-file.ts'
import { flushDirectory } from '#server/storage/disk/write-blocks.ts'
import type { ImageFile, LibraryCopy } from './library-copy.ts'

export interface Expected {
  bytes: number
  /** SHA-256, hexadecimal. */
  hash: string
}

/** The result of `putFile`. `missing`, `damaged`: the source does not exist, or does not match. */
export type PutResult = 'there' | 'copied' | 'linked' | 'missing' | 'damaged'

/**
 * Makes `to` a copy of `from`, unless it already has the expected size (and, with `deep`, the expected hash). The
 * bytes are checked before they get their final name, so that a wrong source never replaces a good copy. On file
 * systems that can share blocks, such as Btrfs and XFS, a copy takes no space.
 *
 * @param options - `unfinished` is a temporary path on the file system of `to`, reserved for this call.
 */
export const putFile = async (
  from: string,
  to: string,
  expected: Expected,
  options: { unfinished: string; deep: boolean; link: boolean },
): Promise<PutResult> => {
  const { unfinished, deep } = options
  const stats = await lstat(to).catch(ignoreMissing)
  if (stats?.isFile() && stats.size === expected.bytes) {
    if (!deep || (await hashFile(to)) === expected.hash) return 'there'
  }
  try {
    const isLinked = options.link && (await tryLink(from, unfinished))
    if (!isLinked) {
      await copyFile(from, unfinished, constants.COPYFILE_FICLONE)
      await setModeByFolder(unfinished)
    }
    const { size } = await lstat(unfinished)
    if (size !== expected.bytes || (await hashFile(unfinished)) !== expected.hash) {
      await rm(unfinished)
      return 'damaged'
    }
    if (!isLinked) await flushFile(unfinished)
    await rename(unfinished, to)
    return isLinked ? 'linked' : 'copied'
  } catch (error) {
    await rm(unfinished, { force: true })
    if (systemCode(error) === 'ENOENT' && (await lstat(from).catch(ignoreMissing)) === undefined) {
      return 'missing'
    }
    throw error
  }
}

const IMAGES_PER_PAGE = 1000

const CONCURRENCY = 4

/** Failures listed by name; the count includes all. */
const MAX_NAMED = 1000

export interface PutProgress {
  images: number
  bytes: number
  /** Images processed so far. */
  done: number
  /** Images that already existed. */
  there: number
  copied: number
  linked: number
  /** Bytes that were copied or linked. */
  newBytes: number
  failed: number
  /** The first 1,000 failures. */
  failures: { imageName: string; reason: string }[]
}

export interface PutImages {
  library: LibraryCopy
  /** Image folders with the layout of a data folder. */
  from: string
  to: string
  /** A folder for incomplete files, on the disk of `to`. */
  temporaries: string
  deep: boolean
  link: boolean
  /** The reported reason if the file in `from` differs from the recorded one. */
  damagedReason: string
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Readonly<PutProgress>) => void) | undefined
}

/**
 * Copies the file of every image of a library below `to`, checked and flushed. Existing files are left unchanged. A
 * file that cannot be copied counts as failed, and the others continue.
 *
 * @returns The final progress, and the names of images without a file in `from`.
 * @throws {TargetFolderError} The disk of `to` is full or read-only. Files copied so far stay.
 * @throws The reason of `signal`.
 */
export const putImages = async (
  options: PutImages,
): Promise<{ progress: PutProgress; missing: string[] }> => {
  const { library, to } = options
  const { images, bytes } = library.totals()
  const counts = { done: 0, there: 0, copied: 0, linked: 0, newBytes: 0, failed: 0 }
  const progress: PutProgress = { images, bytes, ...counts, failures: [] }
  const missing: string[] = []
  const folders = new Map<string, Promise<unknown>>()
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])])

  const put = async (image: ImageFile): Promise<PutResult> => {
    const path = imagePath(to, image.image_name)
    const folder = dirname(path)
    if (!folders.has(folder)) folders.set(folder, mkdir(folder, { recursive: true }))
    await folders.get(folder)
    const expected = { bytes: image.file_size, hash: image.content_hash }
    const unfinished = `${options.temporaries}/${image.image_name}`
    return putFile(imagePath(options.from, image.image_name), path, expected, {
      ...options,
      unfinished,
    })
  }
  const putAndCount = async (image: ImageFile): Promise<void> => {
    if (signal.aborted) return
    try {
      const result = await put(image)
      if (result === 'missing') missing.push(image.image_name)
      else if (result === 'damaged') countFailure(progress, image.image_name, options.damagedReason)
      else progress[result]++
      if (result === 'copied' || result === 'linked') progress.newBytes += image.file_size
    } catch (error) {
      const failure = targetFailure(to, error)
      if (failure instanceof TargetFolderError) stop.abort(failure)
      else countFailure(progress, image.image_name, fileReason(error))
    }
    progress.done++
    options.onProgress?.(progress)
  }

  const limit = pLimit(CONCURRENCY)
  for (let page = library.images(0, IMAGES_PER_PAGE); page.length > 0; ) {
    await limit.map(page, putAndCount)
    signal.throwIfAborted()
    page = library.images(page.at(-1)?.id ?? 0, IMAGES_PER_PAGE)
  }
  for (const folder of [...folders.keys(), to]) await flushDirectory(folder)
  return { progress, missing }
}

export const countFailure = (progress: PutProgress, imageName: string, reason: string): void => {
  progress.failed++
  if (progress.failures.length < MAX_NAMED) progress.failures.push({ imageName, reason })
}
