import { DEFAULT_IMAGE_CATEGORY } from '#contract/image.ts'
import type { DecodedImage } from '#server/core/images/picture-ports.ts'
import type { TakenFile } from '#server/core/intake/file-intake.ts'
import type { ImageDetails } from '#server/core/intake/new-image-of.ts'
import type { SourceEntry } from './import-ports.ts'
import type { ImportedFile } from './import-records.ts'

/** Returns the upload ID of an image of a source; null if it is recognized by its bytes. */
export const uploadIdOf = (kind: string, { record }: SourceEntry): string | null =>
  record === undefined ? null : uploadIdOfRecord(kind, record.identity)

export const uploadIdOfRecord = (kind: string, identity: string): string =>
  `import:${kind}:${identity}`

export const importedFileOf = (
  entry: SourceEntry,
  taken: TakenFile,
  image: ImportedFile['image'] = null,
): ImportedFile => {
  const { bytes, modifiedAt, contentHash } = taken
  const mark = { path: entry.path, bytes, modifiedAt, contentHash }
  return { mark: taken.isFresh ? null : mark, image }
}

const fileNameOf = (entry: SourceEntry): string => entry.relativePath.split('/').at(-1) ?? ''

/** Returns the details from the source's record. Without a record, it uses what an uploaded file would have. */
export const imageDetailsOf = (
  entry: SourceEntry,
  boardId: string | null,
  uploadId: string | null,
): ImageDetails => {
  const { record } = entry
  const place = { boardId: boardId ?? undefined, uploadId }
  if (record === undefined) {
    const takenAt = Math.round(entry.modifiedAt)
    return { ...place, category: DEFAULT_IMAGE_CATEGORY, fileName: fileNameOf(entry), takenAt }
  }
  const { category, origin, isIntermediate, starred, createdAt, sessionId, nodeId, fileName } =
    record
  const { posterMs = null } = record
  return {
    ...place,
    ...{ category, origin, isIntermediate, starred, createdAt, sessionId, fileName, posterMs },
    ...(nodeId !== null && { nodeId }),
    ...(record.rating !== undefined && { rating: record.rating }),
    ...(record.tags !== undefined && { tags: record.tags }),
  }
}

export const withRecordMetadata = (
  { record }: SourceEntry,
  decoded: DecodedImage,
): DecodedImage => {
  if (record === undefined) return decoded
  const { workflow, graph, takenAt } = record
  const metadata = {
    ...decoded.metadata,
    ...(workflow !== null && { workflow }),
    ...(graph !== null && { graph }),
  }
  return { ...decoded, takenAt: takenAt ?? decoded.takenAt, metadata }
}
