import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import pLimit from 'p-limit'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { imagePath } from '#server/storage/disk/image-path.ts'
import { fileReason } from '#server/storage/disk/system-path.ts'
import { targetFailure } from '#server/storage/disk/target-folder.ts'
import { flushDirectory } from '#server/storage/disk/write-blocks.ts'
import type { ImageFile, LibraryCopy } from './library-copy.ts'
import { type PutResult, putFile } from './put-file.ts'

const IMAGES_A_PAGE = 1000

/** Files that are copied at once. */
const CONCURRENCY = 4

/** Failures that a report names; the count is of all. */
const MAX_NAMED = 1000

/** How far the copying of images is. */
export interface PutProgress {
  images: number
  bytes: number
  /** Images that were handled so far. */
  done: number
  /** Were there already. */
  there: number
  copied: number
  linked: number
  /** Of what was copied or linked. */
  newBytes: number
  failed: number
  /** The first 1,000. */
  failures: { imageName: string; reason: string }[]
}

export interface PutImages {
  library: LibraryCopy
  /** Folders of images, laid out as in a data folder. */
  from: string
  to: string
  /** A folder on the disk of `to`, for files that are not complete. */
  temporaries: string
  deep: boolean
  link: boolean
  /** The reason of the failure where the file in `from` is not the one that was taken in. */
  damagedReason: string
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Readonly<PutProgress>) => void) | undefined
}

/**
 * Puts the file of every image of a library below `to`, checked and flushed. Files that are there already are
 * left. A file that cannot be put counts as failed, and the others go on.
 *
 * @returns The progress at the end, and the names whose file does not exist in `from`.
 * @throws {TargetFolderError} The disk of `to` is full or read-only. What was put stays.
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
  for (let page = library.images(0, IMAGES_A_PAGE); page.length > 0; ) {
    await limit.map(page, putAndCount)
    signal.throwIfAborted()
    page = library.images(page.at(-1)?.id ?? 0, IMAGES_A_PAGE)
  }
  for (const folder of [...folders.keys(), to]) await flushDirectory(folder)
  return { progress, missing }
}

export const countFailure = (progress: PutProgress, imageName: string, reason: string): void => {
  progress.failed++
  if (progress.failures.length < MAX_NAMED) progress.failures.push({ imageName, reason })
}
