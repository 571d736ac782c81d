import type { ImageFiles, PendingFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { Bucket, type BucketOptions } from './bucket.ts'
import type { FilesUrl } from './files-url.ts'
import { openS3ImageFiles } from './s3-image-files.ts'
import { openS3ThumbnailFiles } from './s3-thumbnail-files.ts'

interface S3FilesOptions extends BucketOptions {
  /** Staged and temporary files are on its disk. */
  dataFolder: string
  pending?: PendingFiles | undefined
}

/**
 * Opens originals and thumbnails in S3, after it has tried to write.
 *
 * @throws {FilesStoreError} The bucket cannot be used. The message is one line for the user.
 */
export const openS3Files = async (
  url: FilesUrl,
  options: S3FilesOptions,
): Promise<{ files: ImageFiles; thumbnails: ThumbnailFiles; close(): void }> => {
  const bucket = new Bucket(url, options)
  try {
    await bucket.probe()
    const files = await openS3ImageFiles(bucket, options)
    return { files, thumbnails: openS3ThumbnailFiles(bucket), close: () => bucket.close() }
  } catch (error) {
    bucket.close()
    throw error
  }
}
