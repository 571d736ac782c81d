import type { EmbeddedSource } from '#server/storage/metadata/found-metadata.ts'
import { readC2pa } from '#server/storage/metadata/read-c2pa.ts'
import { readFileTexts } from '#server/storage/metadata/read-file-texts.ts'
import type { ImageHeader } from './read-header.ts'

/** Returns the metadata of a file, from the decoder or, where the decoder drops it, from the file itself. */
export const readSource = async (
  path: string,
  { mediaType, metadata, textParts }: ImageHeader,
): Promise<Omit<EmbeddedSource, 'given'>> => {
  const { comments, exif, xmp } = await readFileTexts(path, mediaType, textParts)
  return {
    comments,
    exif: exif ?? metadata.exif ?? null,
    xmp: xmp ?? metadata.xmp ?? null,
    claims: await readC2pa(path, mediaType),
  }
}
