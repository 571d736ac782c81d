import type { ImageOrigin, ImageRecord } from '#contract/image.ts'
import { MAX_RESIZE_PIXELS } from '#contract/limits.ts'
import type { NewImage } from '#server/core/images/image-ports.ts'
import type { DecodedImage } from '#server/core/images/picture-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { cleanFileName } from './clean-file-name.ts'
import type { IncomingFile } from './file-ports.ts'
import type { Upload } from './ingest-service.ts'

/** What is said of a file on its way in, whichever way that is. */
export type ImageDetails = Omit<
  Upload,
  'source' | 'rest' | 'knownBytes' | 'cropVisible' | 'resizeTo'
> & {
  /** Absent: internal with a `nodeId`, external without. */
  origin?: ImageOrigin
}

/** The row of an image: what its sender says of it, and what its file does. */
export const newImageOf = (
  imageName: string,
  said: ImageDetails,
  incoming: IncomingFile,
  decoded: DecodedImage,
): NewImage => ({
  image_name: imageName,
  board_id: said.boardId ?? null,
  image_origin: said.origin ?? (said.nodeId == null ? 'external' : 'internal'),
  image_category: said.category,
  is_intermediate: said.isIntermediate ?? false,
  session_id: said.sessionId ?? null,
  node_id: said.nodeId ?? null,
  width: decoded.width,
  height: decoded.height,
  file_name: cleanFileName(said.fileName),
  file_size: incoming.bytes,
  media_type: decoded.mediaType,
  content_hash: incoming.contentHash,
  thumbhash: decoded.thumbhash,
  taken_at: decoded.takenAt ?? said.takenAt ?? null,
  upload_id: said.uploadId ?? null,
  metadata: decoded.metadata,
  ...(said.createdAt !== undefined && { created_at: said.createdAt }),
  ...(said.starred !== undefined && { starred: said.starred }),
})

/**
 * Names the place of an image that has the same bytes.
 *
 * @param fileName - The name of the new file. The name of the existing one is added only if it differs.
 */
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

/** Bytes as something that is read once. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
