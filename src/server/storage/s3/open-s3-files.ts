import type {
  Downloads,
  FileLinks,
  ImageFiles,
  PendingFiles,
  ThumbnailFiles,
} from '#server/core/intake/file-ports.ts'
import type { Probe } from '#server/core/upkeep/readiness.ts'
import { Bucket, type BucketOptions } from './bucket.ts'
import type { FilesUrl } from './files-url.ts'
import type { S3Counts } from './s3-client.ts'
import { openS3Downloads } from './s3-downloads.ts'
import { openS3ImageFiles } from './s3-image-files.ts'
import { openS3ThumbnailFiles } from './s3-thumbnail-files.ts'

interface S3FilesOptions extends BucketOptions {
  /** Staged and temporary files are on its disk. */
  dataFolder: string
  pending?: PendingFiles | undefined
  /** True: the bucket is opened without a test of writing. */
  isReadOnly?: boolean
  /** True: browsers can reach the bucket and get links to it. */
  hasLinks?: boolean
}

/** Loads what signs links only if links are wanted. */
const openLinks = async (bucket: Bucket): Promise<FileLinks> => {
  const { openS3Links } = await import('./s3-links.ts')
  return openS3Links(bucket, bucket.signer)
}

/**
 * Opens originals and thumbnails in S3, after it has tried to write, or to reach the bucket if it is read-only.
 *
 * @throws {FilesStoreError} The bucket cannot be used. The message is one line for the user.
 */
export const openS3Files = async (
  url: FilesUrl,
  options: S3FilesOptions,
): Promise<{
  files: ImageFiles
  thumbnails: ThumbnailFiles
  probe: Probe
  counts: S3Counts
  downloads: Downloads
  links: FileLinks | null
  close(): void
}> => {
  const bucket = new Bucket(url, options)
  try {
    await (options.isReadOnly ? bucket.assertReachable() : bucket.probe())
    const files = await openS3ImageFiles(bucket, options)
    return {
      files,
      thumbnails: openS3ThumbnailFiles(bucket),
      probe: { name: 'files', check: () => bucket.assertReachable() },
      counts: bucket.counts,
      downloads: openS3Downloads(bucket),
      links: options.hasLinks ? await openLinks(bucket) : null,
      close: () => bucket.close(),
    }
  } catch (error) {
    bucket.close()
    throw error
  }
}
