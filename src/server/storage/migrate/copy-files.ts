import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { imagePath } from '#server/storage/disk/image-path.ts'
import { ignoreMissing, systemCode } from '#server/storage/disk/system-errors.ts'
import { fileReason } from '#server/storage/disk/system-path.ts'
import { hashFile } from '#server/storage/disk/whole-file.ts'
import type { Bucket } from '#server/storage/s3/bucket.ts'
import { objectKey } from '#server/storage/s3/object-key.ts'
import { PART_BYTES } from '#server/storage/s3/put-file.ts'
import { contentTypeOf } from '#server/storage/s3/s3-image-files.ts'
import type { Row } from './library-rows.ts'

/** An image whose original and thumbnails are copied. */
export interface ImageToCopy {
  imageName: string
  bytes: number
  /** SHA-256, hexadecimal. */
  contentHash: string
}

export const imageOf = ({ image_name, file_size, content_hash }: Row): ImageToCopy => ({
  imageName: String(image_name),
  bytes: Number(file_size),
  contentHash: Buffer.from(content_hash as Uint8Array).toString('hex'),
})

/** Copies an original. Returns why it cannot be copied, as a sentence; null: the target has it. */
export type CopyOriginal = (
  image: ImageToCopy,
  options: { signal: AbortSignal; mayBeThere: boolean },
) => Promise<string | null>

export const MISSING = 'Its file is missing.'
export const DAMAGED = 'Its file is damaged: its SHA-256 is not that of its record.'

/** Returns a function that copies originals from a data folder to a bucket. */
export const copyToBucket =
  (dataFolder: string, bucket: Bucket): CopyOriginal =>
  async ({ imageName, bytes, contentHash }, { signal, mayBeThere }) => {
    const key = objectKey(bucket.prefix, 'images', imageName)
    if (mayBeThere && (await bucket.head(key))?.contentHash === contentHash) return null
    const path = imagePath(`${dataFolder}/images`, imageName)
    const content = await readVerified(path, { bytes, contentHash }).catch(reasonOf)
    if (typeof content === 'string') return content
    const contentType = contentTypeOf(imageName)
    await bucket.putNew(
      key,
      { path, bytes, contentHash, contentType, ...(content !== null && { content }) },
      signal,
    )
    return null
  }

/** Returns the bytes of a small file, null for a large one, or why the file cannot be copied. */
const readVerified = async (
  path: string,
  expected: { bytes: number; contentHash: string },
): Promise<Uint8Array | string | null> => {
  const stats = await lstat(path).catch(ignoreMissing)
  if (stats === undefined || !stats.isFile()) return MISSING
  if (stats.size !== expected.bytes) return DAMAGED
  if (stats.size > PART_BYTES)
    return (await hashFile(path)) === expected.contentHash ? null : DAMAGED
  const content = await readFile(path)
  const hash = createHash('sha256').update(content).digest('hex')
  return hash === expected.contentHash ? content : DAMAGED
}

/** For `catch`: a file that cannot be read is reported by its name, and the others are copied. */
const reasonOf = (error: unknown): string => {
  if (systemCode(error) === undefined) throw error
  return fileReason(error)
}

/** Attempts to read an object whose content is cut off. The client of S3 repeats only requests without an answer. */
const ATTEMPTS = 3

/** Returns a function that copies originals from a bucket to a data folder. */
export const copyToFolder =
  (
    bucket: Bucket,
    files: Pick<ImageFiles, 'stat' | 'receive' | 'keep' | 'discard'>,
  ): CopyOriginal =>
  async ({ imageName, bytes, contentHash }) => {
    // A renamed file was verified before.
    if ((await files.stat(imageName))?.bytes === bytes) return null
    const received = await withContent(bucket, imageName, (content) =>
      files.receive(content, { maxBytes: Number.MAX_SAFE_INTEGER }),
    )
    if (received === null) return MISSING
    if (received.contentHash !== contentHash) {
      await files.discard(received)
      return DAMAGED
    }
    await files.keep([{ incoming: received, imageName }])
    return null
  }

/** Reads an original from a bucket, and reads it again if its content is cut off. Returns null if it is missing. */
const withContent = async <T>(
  bucket: Bucket,
  imageName: string,
  read: (content: Readable) => Promise<T>,
): Promise<T | null> => {
  for (let attempt = 1; ; attempt++) {
    const file = await bucket.get(objectKey(bucket.prefix, 'images', imageName))
    if (file === null) return null
    try {
      return await read(file.content)
    } catch (error) {
      const isFinal = error instanceof Refusal && error.code !== 'upload_cut_off'
      if (isFinal || systemCode(error) === 'ENOSPC') throw error
      if (attempt === ATTEMPTS)
        throw new Refusal('disk_error', 'The store of the images cuts off its answers.', {
          cause: error,
        })
    }
  }
}

/** Returns the SHA-256 of an original, hexadecimal; null: it is missing. */
export const hashInBucket = (bucket: Bucket, imageName: string): Promise<string | null> =>
  withContent(bucket, imageName, async (content) => {
    const hash = createHash('sha256')
    await pipeline(content, hash)
    return hash.digest('hex')
  })

export const hashInFolder = (dataFolder: string, imageName: string): Promise<string | null> =>
  hashFile(imagePath(`${dataFolder}/images`, imageName)).catch((error) => {
    ignoreMissing(error)
    return null
  })

/** Copies the thumbnails that exist. The others are made when they are first shown. */
export const copyThumbnails = async (
  imageName: string,
  sizes: readonly number[],
  from: Pick<ThumbnailFiles, 'read'>,
  to: Pick<ThumbnailFiles, 'write'>,
): Promise<void> => {
  for (const size of sizes) {
    const webp = await from.read(imageName, size)
    if (webp !== null) await to.write(imageName, size, webp)
  }
}
