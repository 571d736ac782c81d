import type { ImageCategory, ImageOrigin, ImageRecord } from '#contract/image.ts'
import { MAX_RESIZE_PIXELS } from '#contract/limits.ts'
import { tagNameIn } from '#contract/search/tag-names.ts'
import type { NewImage } from '#server/core/images/image-ports.ts'
import type { DecodedImage, Thumbnail } from '#server/core/images/picture-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { cleanFileName } from './clean-file-name.ts'
import type { IncomingFile } from './file-ports.ts'

/** The data of a new image besides its file, for all sources of images. */
export interface ImageDetails {
  /** Absent: internal with a `nodeId`, external without. */
  origin?: ImageOrigin
  category: ImageCategory
  /** Default false. */
  isIntermediate?: boolean
  /** Name given by the sender. It is cleaned before it is stored. */
  fileName?: string | null
  /** Absent: uncategorized. `none` and the empty string are unknown boards, as in InvokeAI. */
  boardId?: string | undefined
  sessionId?: string | null
  /** ID of the prepared node that made it; then no upload limit applies. Absent: it was uploaded. */
  nodeId?: string
  /** Created by the client. A repeated upload returns the existing record. */
  uploadId?: string | null
  /** Date of the file, used if its EXIF has none. Milliseconds since 1970. */
  takenAt?: number | null
  /** The `metadata` part as JSON text. Text that is not an object is dropped. */
  metadata?: string | null
  /** Made from the pixels by this server, which encoded the file. Absent or null: it is made from the file. */
  thumbnail?: Thumbnail | null
  /** Creation time in milliseconds since 1970; absent: now. */
  createdAt?: number
  starred?: boolean
  /** Absent: as the file says. The same for the tags. */
  rating?: number
  tags?: readonly string[]
  /** Time of the chosen poster, if the file is a video. Absent or null: this server chose one. */
  posterMs?: number | null
}

export const newImageOf = (
  imageName: string,
  details: ImageDetails,
  incoming: IncomingFile,
  decoded: DecodedImage,
): NewImage => ({
  image_name: imageName,
  board_id: details.boardId ?? null,
  image_origin: details.origin ?? (details.nodeId == null ? 'external' : 'internal'),
  image_category: details.category,
  is_intermediate: details.isIntermediate ?? false,
  session_id: details.sessionId ?? null,
  node_id: details.nodeId ?? null,
  width: decoded.width,
  height: decoded.height,
  file_name: cleanFileName(details.fileName),
  file_size: incoming.bytes,
  media_type: decoded.mediaType,
  content_hash: incoming.contentHash,
  thumbhash: decoded.thumbhash,
  fingerprint: decoded.fingerprint,
  is_animated: decoded.isAnimated,
  ...(decoded.video && { video: decoded.video, poster_ms: details.posterMs ?? null }),
  taken_at: decoded.takenAt ?? details.takenAt ?? null,
  upload_id: details.uploadId ?? null,
  metadata: decoded.metadata,
  ...(details.createdAt !== undefined && { created_at: details.createdAt }),
  ...(details.starred !== undefined && { starred: details.starred }),
  rating: details.rating ?? decoded.marks?.rating ?? 0,
  tags: validTags(details.tags ?? decoded.marks?.tags ?? []),
})

/** Drops names that no tag can have. */
export const validTags = (names: readonly string[]): string[] =>
  names.flatMap((name) => tagNameIn(name) ?? [])

/** Names the board of the existing image, and its name if that differs from `fileName`. */
export const duplicateMessage = (
  { file_name }: ImageRecord,
  boardName: string | null,
  fileName: string | null,
): string => {
  const where = boardName === null ? 'Assets' : boardName
  const isNamedAlike = file_name === null || file_name === fileName
  return `Already in ${where}${isNamedAlike ? '' : ` as ${file_name}`}.`
}

/** @throws {Refusal} `invalid_resize`. */
export const assertResize = (size: { width: number; height: number } | null): void => {
  if (size === null) return
  const { width, height } = size
  const isWhole = Number.isInteger(width) && Number.isInteger(height)
  if (!isWhole || width < 1 || height < 1 || width * height > MAX_RESIZE_PIXELS) {
    throw new Refusal('invalid_resize')
  }
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
