/** An accepted container of videos. */
interface VideoFormat {
  readonly name: string
  /** Extensions of files, the one of stored files first. */
  readonly extensions: readonly [string, ...string[]]
}

/** Accepted containers of videos, by the media type of their responses. The bytes of a file decide, not its name. */
export const videoFormats = {
  'video/mp4': { name: 'MP4', extensions: ['mp4', 'm4v'] },
  'video/quicktime': { name: 'MOV', extensions: ['mov'] },
  'video/webm': { name: 'WebM', extensions: ['webm'] },
  'video/x-matroska': { name: 'MKV', extensions: ['mkv'] },
} as const satisfies Readonly<Record<string, VideoFormat>>

export const videoMediaTypes = Object.keys(videoFormats) as (keyof typeof videoFormats)[]

/** Extensions of all videos. */
export const videoExtensions: readonly string[] = videoMediaTypes.flatMap(
  (mediaType): readonly string[] => videoFormats[mediaType].extensions,
)

/** Extensions of stored videos. */
const storedExtensions: readonly string[] = videoMediaTypes.map(
  (mediaType) => videoFormats[mediaType].extensions[0],
)

/** True if an item of this name is a video. The extension of a stored file is that of its container. */
export const isVideoName = (name: string): boolean =>
  storedExtensions.includes(name.slice(name.lastIndexOf('.') + 1))
