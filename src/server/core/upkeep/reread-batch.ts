import pLimit from 'p-limit'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { FileMetadata } from '#server/core/images/picture-ports.ts'
import type { FileIntake } from '#server/core/intake/file-intake.ts'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import type { Fingerprint } from '#server/core/likeness/fingerprint.ts'
import type { OutdatedImage, RereadRecords } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'

export interface RereadParts {
  rereads: RereadRecords
  files: Pick<ImageFiles, 'local' | 'hasAny'>
  thumbnails: Pick<ThumbnailFiles, 'read'>
  intake: Pick<FileIntake, 'readMetadata' | 'thumbnail' | 'fingerprint'>
  /** The version of the reader. Images that an earlier one read are read again. */
  readerVersion: number
}

/** Refusals that say nothing about the file. The image is tried again later. */
const temporaryCodes: readonly RefusalCode[] = ['busy', 'stopping', 'disk_error', 'disk_full']

/** Their metadata is stored, so that no file is read. */
const DESCRIBED_PER_BATCH = 500

/**
 * Stores the properties of the next images, or reads the metadata of the next ones again and stores it, with their
 * fingerprints. Originals are only read. An image whose file cannot be read keeps its metadata and counts as read.
 *
 * @returns The number of images. 0: all images are up to date.
 * @throws {Refusal} `busy`, `stopping`, `disk_error`, `disk_full`, or a refusal of the database. Nothing was stored.
 */
export const rereadBatch = async (
  parts: RereadParts,
  { limit, concurrency }: { limit: number; concurrency: number },
): Promise<number> => {
  const { rereads, files, readerVersion } = parts
  const described = await rereads.describe(DESCRIBED_PER_BATCH)
  if (described > 0) return described
  const outdated = await rereads.list(readerVersion, limit)
  const read = await pLimit(concurrency).map(outdated, async (image) => ({
    imageName: image.imageName,
    read: image.needsMetadata ? await readAgain(parts, image) : null,
    fingerprint: await drawAgain(parts, image),
  }))
  // All files are missing if their disk is away. Then no image counts as read.
  const isNothingRead = read.every(
    (image, at) => (outdated[at]?.needsMetadata ? image.read : image.fingerprint) === null,
  )
  if (read.length > 0 && isNothingRead && !(await files.hasAny())) {
    throw new Refusal('disk_error', 'The originals of the library are missing.')
  }
  if (read.length > 0) await rereads.store(readerVersion, read)
  return read.length
}

const readAgain = (
  { files, intake }: RereadParts,
  { imageName, given, sidecars }: OutdatedImage,
): Promise<FileMetadata | null> =>
  ifReadable(async () => {
    await using original = await files.local(imageName)
    return original && (await intake.readMetadata(original.path, { metadata: given, sidecars }))
  })

const drawAgain = (
  { files, thumbnails, intake }: RereadParts,
  { imageName, posterMs }: OutdatedImage,
): Promise<Fingerprint | null> =>
  ifReadable(async () => {
    const stored = await thumbnails.read(imageName, THUMBNAIL_SIZES[0])
    if (stored !== null) return intake.fingerprint(stored)
    await using original = await files.local(imageName)
    if (original === null) return null
    const kind = isVideoName(imageName) ? 'video' : 'image'
    const drawn = await intake.thumbnail(original.path, THUMBNAIL_SIZES[0], kind, posterMs)
    return intake.fingerprint(drawn)
  })

/** Returns null for a file that cannot be read. */
export const ifReadable = async <T>(read: () => Promise<T>): Promise<T | null> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refusal && temporaryCodes.includes(error.code)) throw error
    return null
  }
}

/** Images of a batch that need not make way for requests. */
const LARGE_BATCH = { limit: 256, concurrency: 8 }

/**
 * Reads the metadata of all images again that an earlier reader read.
 *
 * @returns The number of images.
 * @throws The reason of `signal` if it is aborted. Stored batches remain.
 */
export const rereadAll = async (
  parts: RereadParts,
  {
    signal,
    onProgress,
  }: { signal: AbortSignal; onProgress: (done: number, total: number) => void },
): Promise<number> => {
  const total = await parts.rereads.count(parts.readerVersion)
  for (let done = 0; ; ) {
    onProgress(done, total)
    const count = await rereadBatch(parts, LARGE_BATCH)
    if (count === 0) return done
    done += count
    signal.throwIfAborted()
  }
}
