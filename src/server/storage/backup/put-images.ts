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
