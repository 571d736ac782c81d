import { v7 as timeOrderedId } from 'uuid'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import { type MediaType, storedExtensionOf } from '#contract/media-types.ts'
import type { Clock } from '#server/core/clock.ts'
import type { ImageRecords, NewImage } from '#server/core/images/image-ports.ts'
import type { DecodedImage } from '#server/core/images/picture-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { ImageFiles, IncomingFile, StagedFile, ThumbnailFiles } from './file-ports.ts'
import { type ImageDetails, newImageOf } from './new-image-of.ts'

/** Runs the work between staging a file and its commit. If the work fails, the staged file is discarded. */
export async function whileStaged<Staged extends StagedFile, Result>(
  files: Pick<ImageFiles, 'discard'>,
  staged: Staged,
  work: (staged: Staged) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(staged)
  } catch (error) {
    await files.discard(staged)
    throw error
  }
}

/** A staged file and the image that it becomes. */
export interface NamedFile {
  imageName: string
  incoming: StagedFile
  /** Stores the smallest thumbnail under `imageName`. */
  writeThumbnail(): Promise<void>
}

export interface NewImageFile extends NamedFile {
  image: NewImage
}

export const newImageFile = (
  thumbnails: Pick<ThumbnailFiles, 'write'>,
  imageName: string,
  details: ImageDetails,
  incoming: IncomingFile,
  decoded: DecodedImage,
): NewImageFile => ({
  imageName,
  incoming,
  image: newImageOf(imageName, details, incoming, decoded),
  writeThumbnail: async () => {
    if (decoded.thumbnail.length > 0)
      await thumbnails.write(imageName, THUMBNAIL_SIZES[0], decoded.thumbnail)
  },
})

interface CommitParts {
  files: Pick<ImageFiles, 'keep' | 'discard' | 'remove'>
  thumbnails: Pick<ThumbnailFiles, 'remove'>
  images: Pick<ImageRecords, 'isThere'>
}

/**
 * Commits staged files as images. Uploads, imports, node results and copies all use this function, so that the order
 * that survives a power failure exists once: the bytes are already flushed; then rename to the final names, flush the
 * directories, and commit the rows with `addRows`.
 *
 * @param addRows - Returns its result and the names whose files no row needs, such as those of a repeated upload.
 * @throws Errors of any step. Files without a row are removed first, but not after a `disk_error`: the database log
 *   may contain a commit whose flush failed, and then the next start finds the row. If it does not, it sets the file
 *   aside.
 */
export async function commitFiles<Result>(
  { files, thumbnails, images }: CommitParts,
  named: readonly NamedFile[],
  addRows: () => Promise<{ result: Result; unused: readonly string[] }>,
): Promise<Result> {
  const forget = async (imageNames: readonly string[]) => {
    if (imageNames.length === 0) return
    await files.remove(imageNames)
    await thumbnails.remove(imageNames)
  }
  try {
    await files.keep(named)
    await Promise.all(named.map((file) => file.writeThumbnail()))
    const { result, unused } = await addRows()
    await forget(unused)
    return result
  } catch (error) {
    if (error instanceof Refusal && error.code === 'disk_error') throw error
    for (const { imageName, incoming } of named) {
      await files.discard(incoming)
      // The commit may have succeeded although its result was lost. If the row cannot be looked up, the file stays;
      // the next start compares files and rows.
      const isRecorded = await images.isThere(imageName).catch(() => true)
      if (!isRecorded) await forget([imageName])
    }
    throw error
  }
}

/** Returns a generator of image names with the same last two digits: their one folder is flushed once. */
export const imageNamesInOneFolder = (clock: Clock): ((mediaType: MediaType) => string) => {
  const ending = timeOrderedId().slice(-2)
  return (mediaType) => {
    const id = timeOrderedId({ msecs: clock() }).slice(0, -2) + ending
    return `${id}.${storedExtensionOf(mediaType)}`
  }
}
