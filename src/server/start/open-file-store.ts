import type {
  Downloads,
  FileLinks,
  ImageFiles,
  PendingFiles,
  ThumbnailFiles,
} from '#server/core/intake/file-ports.ts'
import type { Probe } from '#server/core/upkeep/readiness.ts'
import { openImageFiles } from '#server/storage/disk/image-files.ts'
import { FilesUrlError, parseFilesUrl } from '#server/storage/s3/files-url.ts'
import { FilesStoreError } from '#server/storage/s3/s3-failure.ts'
import { openThumbnailFiles } from '#server/storage/thumbnails/thumbnail-files.ts'
import { StartError } from './start-error.ts'

interface FileStoreOptions {
  dataFolder: string
  /** `s3://…`; null: the data folder. */
  url: string | null
  /** Learns names before their files are stored. Only for S3, whose objects are not compared with the records. */
  pending?: PendingFiles | undefined
  /** True: the store is opened without a test of writing. */
  isReadOnly?: boolean
  /** True: browsers can reach the store and get links to it. */
  hasLinks?: boolean
  /** The disk of the data folder reported an error. */
  onDiskError(): void
  /** A request to S3 failed, after all repetitions. */
  onFailure(error: unknown): void
}

export interface FileStore {
  files: ImageFiles
  thumbnails: ThumbnailFiles
  /** Asks whether the store answers. null: it is a folder of this machine. */
  probe: Probe | null
  /** Numbers of requests to the store by operation, for metrics. */
  counts?: { requests: Record<string, number>; errors: Record<string, number> }
  /** Finished zips, if several processes share them. */
  downloads?: Downloads
  /** null: this process sends the bytes of all files. */
  links: FileLinks | null
  close(): void
}

/**
 * Opens the store of originals and thumbnails. Loads the S3 client only if S3 is used, because it is large.
 *
 * @throws {StartError} The URL is invalid, or the store cannot be used.
 */
export const openFileStore = async (options: FileStoreOptions): Promise<FileStore> => {
  const { dataFolder, url } = options
  if (url === null) {
    const files = await openImageFiles(options)
    const thumbnails = await openThumbnailFiles(dataFolder)
    return { files, thumbnails, probe: null, links: null, close: () => {} }
  }
  try {
    const { openS3Files } = await import('#server/storage/s3/open-s3-files.ts')
    return await openS3Files(parseFilesUrl(url), options)
  } catch (error) {
    if (error instanceof FilesUrlError) throw new StartError(`--files: ${error.message}`, 2)
    if (!(error instanceof FilesStoreError)) throw error
    throw new StartError(error.message, 1, { cause: error })
  }
}
