import { isImageType } from '#contract/downloads/converted-type.ts'
import { DEFAULT_QUALITY, type DownloadOptions } from '#contract/downloads/download-operations.ts'
import { extensionOfItem, type FileNamer } from '#contract/downloads/name-pattern.ts'
import { imageFormats } from '#contract/image-formats.ts'
import { extensionsOf, type MediaType } from '#contract/media-types.ts'
import type { ArchiveEntry } from '#server/core/images/image-ports.ts'
import type { OriginalCheck } from '#server/core/images/original-check.ts'
import type {
  ConvertedPicture,
  ImageCodec,
  PictureForm,
} from '#server/core/images/picture-ports.ts'
import type { ImageFiles, ZipEntry } from '#server/core/intake/file-ports.ts'
import { mapInOrder } from '#server/core/map-in-order.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'

/** Images that are converted while earlier ones are sent. */
const AHEAD = 3

export interface FormParts {
  files: Pick<ImageFiles, 'local'>
  originals: Pick<OriginalCheck, 'assertWhole'>
  codec: Pick<ImageCodec, 'convert'>
  /** Called when a conversion fails for a reason that is not a refusal. */
  onFailure: (error: unknown) => void
}

/** Returns the form of the images of a download. null: as they are stored. */
export const formOf = (options: DownloadOptions): PictureForm | null => {
  const form = {
    format: options.format ?? 'original',
    quality: options.quality ?? DEFAULT_QUALITY,
    longestSidePx: options.longest_side ?? null,
    withoutMetadata: options.without_metadata ?? false,
  }
  const isStored = form.format === 'original' && form.longestSidePx === null
  return isStored && !form.withoutMetadata ? null : form
}

/** Returns the form of files for users: `as JPEG, with quality 85, without metadata`. */
export const formText = ({
  format,
  quality,
  longestSidePx,
  withoutMetadata,
}: PictureForm): string =>
  [
    ...(format === 'original' ? [] : [`as ${imageFormats[`image/${format}`].name}`]),
    ...(format === 'png' || (format === 'original' && longestSidePx === null)
      ? []
      : [`with quality ${quality}`]),
    ...(longestSidePx === null ? [] : [`of at most ${longestSidePx} pixels`]),
    ...(withoutMetadata ? ['without metadata'] : []),
  ].join(', ')

/**
 * Converts an image of the library.
 *
 * @returns null: its file already has this form, or it is a video.
 * @throws {Refusal} `metadata_left`, `conversion_failed`, `original_damaged`, `image_not_found`, and those of the codec.
 */
export const convertStored = async (
  { files, originals, codec }: Omit<FormParts, 'onFailure'>,
  image: ArchiveEntry,
  form: PictureForm | null,
): Promise<ConvertedPicture | null> => {
  if (form === null) return null
  if (!isImageType(image.media_type)) {
    if (!form.withoutMetadata) return null
    throw new Refusal('metadata_left', 'The metadata of a video cannot be removed.')
  }
  await originals.assertWhole(image)
  await using local = orRefuse(await files.local(image.image_name), 'image_not_found')
  return await codec.convert(local.path, form)
}

/** Returns the extension of a converted file, or of the stored one. */
export const extensionAs = (image: ArchiveEntry, mediaType: MediaType | undefined): string => {
  const isOther = mediaType !== undefined && mediaType !== image.media_type
  return isOther ? (extensionsOf(mediaType)[0] ?? '') : extensionOfItem(image)
}

type Made = Pick<ZipEntry, 'content'> & { mediaType?: MediaType }

/** Names and converts the files of a zip while it is read. Images that cannot be converted have the reason instead. */
export async function* convertedEntries(
  entries: readonly ArchiveEntry[],
  { parts, form, namer }: { parts: FormParts; form: PictureForm | null; namer: FileNamer },
): AsyncGenerator<ZipEntry> {
  const make = async (image: ArchiveEntry): Promise<{ image: ArchiveEntry; made: Made }> => {
    const made = await convertStored(parts, image, form).then(
      (picture): Made =>
        picture === null ? {} : { content: picture.bytes, mediaType: picture.mediaType },
      (error: unknown): Made => ({ content: { leftOut: reasonOf(error, parts.onFailure) } }),
    )
    return { image, made }
  }
  for await (const group of mapInOrder(each(entries), make, { ahead: AHEAD, together: 1 })) {
    for (const { image, made } of group) {
      const { mediaType, ...content } = made
      yield { image, entryName: namer.next(image, extensionAs(image, mediaType)), ...content }
    }
  }
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

/** Returns why a file could not be converted, for users. */
export const reasonOf = (error: unknown, onFailure: (error: unknown) => void): string => {
  if (!(error instanceof Refusal)) {
    onFailure(error)
    return 'The file could not be converted.'
  }
  if (error.code === 'original_damaged') return 'The file is damaged.'
  return error.code === 'image_not_found' ? 'The file is missing.' : error.message
}
