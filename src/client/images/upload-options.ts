import type { CallOptions, UploadProgress } from '#client/transport/call.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { DEFAULT_IMAGE_CATEGORY, type ImageCategory } from '#contract/image.ts'

/** Destination of an upload, and options of the request. */
export interface UploadOptions extends CallOptions {
  /** Absent, null or `none`: uncategorized. The parameter is then omitted, as InvokeAI requires. */
  readonly boardId?: string | null | undefined
  /** The default is `user`. */
  readonly imageCategory?: ImageCategory | undefined
  /** The default is false. */
  readonly isIntermediate?: boolean | undefined
  /** Id of the generation session that the image belongs to. The default is null. */
  readonly sessionId?: string | null | undefined
  /** Called with the upload progress. Only browsers support it. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
}

/** One file to upload. */
export interface UploadFile {
  /** Content of the file. A blob of `openFile` (`tessera-gallery-client/node`) is read from disk while it is sent. */
  readonly bytes: Blob
  /** The default is the name of a `File`, else `image`. */
  readonly fileName?: string | undefined
  /** Idempotency key, made by the caller. A repeated upload returns the existing record (extension). */
  readonly uploadId?: string | undefined
  /** Date of the file, used if its EXIF has none (extension). UTC, `YYYY-MM-DD HH:MM:SS.mmm`. */
  readonly takenAt?: string | undefined
  /** Handling of a file whose bytes the gallery already has: `keep` saves a second image. Only in a batch. */
  readonly knownBytes?: 'keep' | 'refuse' | undefined
  /** JSON object to save as the image's metadata. Only for a single upload. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

export const fileNameOf = ({ bytes, fileName }: Pick<UploadFile, 'bytes' | 'fileName'>): string =>
  fileName ?? (bytes instanceof File ? bytes.name : 'image')

export const callOf = ({
  boardId,
  imageCategory,
  isIntermediate,
  sessionId,
  ...call
}: UploadOptions) => ({
  query: {
    image_category: imageCategory ?? DEFAULT_IMAGE_CATEGORY,
    is_intermediate: isIntermediate ?? false,
    board_id: boardId === UNCATEGORIZED_BOARD_ID ? undefined : (boardId ?? undefined),
    session_id: sessionId ?? undefined,
  },
  ...call,
})
