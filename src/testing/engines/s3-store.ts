import { onTestFinished } from 'vitest'
import type { PendingFiles } from '#server/core/intake/file-ports.ts'
import { Bucket, type BucketOptions } from '#server/storage/s3/bucket.ts'
import { parseFilesUrl } from '#server/storage/s3/files-url.ts'
import { openS3ImageFiles } from '#server/storage/s3/s3-image-files.ts'
import { openS3ThumbnailFiles } from '#server/storage/s3/s3-thumbnail-files.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { emptyStore } from './s3-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A bucket of an S3 server, as for `--files`. */
    s3Url: string
  }
}

interface StoreOptions extends BucketOptions {
  pending?: PendingFiles
}

/** Returns the keys of all objects of a store. */
export const keysOf = async (bucket: Bucket): Promise<string[]> =>
  (await Array.fromAsync(bucket.list(bucket.prefix))).flat()

/** Opens an empty store for one test. */
export const openStore = async (s3Url: string, options: StoreOptions = {}) => {
  const url = parseFilesUrl(emptyStore(s3Url))
  const bucket = new Bucket(url, options)
  const dataFolder = await createTemporaryFolder()
  onTestFinished(async () => {
    bucket.close()
    await removeFolder(dataFolder)
  })
  const files = await openS3ImageFiles(bucket, { dataFolder, pending: options.pending })
  const keys = () => keysOf(bucket)
  const thumbnails = openS3ThumbnailFiles(bucket)
  return { url, bucket, keys, dataFolder, files, thumbnails }
}
