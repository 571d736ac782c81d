import { videoFormats, videoMediaTypes } from '#contract/videos/video-formats.ts'
import { extensionOf, imageFormats, imageMediaTypes } from './image-formats.ts'

/** Media type of an image or a video. */
export type MediaType = (typeof imageMediaTypes)[number] | (typeof videoMediaTypes)[number]

/** Media types of stored files, with their extensions. */
const stored = new Map<MediaType, string>([
  ...imageMediaTypes.map((mediaType) => [mediaType, extensionOf[mediaType]] as const),
  ...videoMediaTypes.map(
    (mediaType) => [mediaType, videoFormats[mediaType].extensions[0]] as const,
  ),
])

/** Extensions of stored files. */
export const storedExtensions: readonly string[] = [...stored.values()]

/** Extension of the stored files of a media type. */
export const storedExtensionOf = (mediaType: MediaType): string => stored.get(mediaType) ?? ''

/** Returns the extensions that files of a media type may have, the one of stored files first. */
export const extensionsOf = (mediaType: MediaType): readonly string[] =>
  ({ ...imageFormats, ...videoFormats })[mediaType].extensions

/** Returns the media type of a stored file. Returns null for another name. */
export const mediaTypeOfName = (name: string): MediaType | null => {
  const extension = name.slice(name.lastIndexOf('.') + 1)
  return [...stored].find(([, known]) => known === extension)?.[0] ?? null
}
