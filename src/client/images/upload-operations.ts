import type { CallOptions, UploadProgress } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { DEFAULT_IMAGE_CATEGORY, type ImageCategory, type ImageRecord } from '#contract/image.ts'
import { imageFormats, imageMediaTypes } from '#contract/image-formats.ts'
import {
  type BatchUploadItem,
  type BatchUploadLine,
  uploadImage,
  uploadImageBatch,
} from '#contract/upload-operations.ts'
import { imageOfAnswer } from './image-records.ts'

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

/** Image uploads. */
export class UploadOperations {
  readonly #http: Http

  /** @internal */
  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Uploads one image. The server answers after the image is durable, so it survives a power failure.
   *
   * @throws {RefusedError} Nothing was saved; `detail` has the reason.
   * @throws {ConnectionError} The image may or may not have been saved. Retry with the same `uploadId`.
   */
  async upload(file: UploadFile, options: UploadOptions = {}): Promise<ImageRecord> {
    const parts = new FormData()
    if (file.metadata) parts.append('metadata', JSON.stringify(file.metadata))
    if (file.takenAt !== undefined) parts.append('taken_at', file.takenAt)
    appendFile(parts, file)
    const { query, ...call } = callOf(options)
    const input = { query: { ...query, upload_id: file.uploadId }, parts, ...call }
    return imageOfAnswer(await this.#http.call(uploadImage, input))
  }

  /**
   * Uploads many images in one request (extension `batch_upload`). Yields one line per file, in the order in
   * which the images become durable. The line of a refused file has `refusal`; the other files are not
   * affected.
   *
   * @throws {RefusedError} The server refused the whole request.
   * @throws {ConnectionError} The response is incomplete. Retry the files without a line, with the same
   *   `uploadId`.
   */
  async *uploadBatch(
    files: readonly UploadFile[],
    options: UploadOptions = {},
  ): AsyncGenerator<BatchUploadLine> {
    const parts = new FormData()
    for (const file of files) {
      const item: BatchUploadItem = {
        ...(file.uploadId !== undefined && { upload_id: file.uploadId }),
        ...(file.takenAt !== undefined && { taken_at: file.takenAt }),
        ...(file.knownBytes !== undefined && { known_bytes: file.knownBytes }),
      }
      parts.append('upload', JSON.stringify(item))
      appendFile(parts, file)
    }
    yield* this.#http.lines(uploadImageBatch, { parts, ...callOf(options) })
  }
}

/** Appends the file after its fields, because a streaming server needs the fields before the bytes. */
const appendFile = (parts: FormData, { bytes, fileName }: UploadFile): void => {
  const name = fileName ?? (bytes instanceof File ? bytes.name : 'image')
  const type = partTypeOf(bytes, name)
  const blob = bytes.type === type ? bytes : new Blob([bytes], { type })
  parts.append('file', blob, name)
}

const callOf = ({ boardId, imageCategory, isIntermediate, sessionId, ...call }: UploadOptions) => ({
  query: {
    image_category: imageCategory ?? DEFAULT_IMAGE_CATEGORY,
    is_intermediate: isIntermediate ?? false,
    board_id: boardId === UNCATEGORIZED_BOARD_ID ? undefined : (boardId ?? undefined),
    session_id: sessionId ?? undefined,
  },
  ...call,
})

const typeByExtension: ReadonlyMap<string, string> = new Map([
  ...imageMediaTypes.flatMap((type) =>
    imageFormats[type].extensions.map((extension): [string, string] => [extension, type]),
  ),
  ['svg', 'image/svg+xml'],
])

/**
 * Returns the media type of a file part. InvokeAI accepts only `image/*`. Uses the type of the blob, else the
 * file extension, else PNG. The server detects the format from the bytes.
 */
const partTypeOf = (bytes: Blob, fileName: string): string => {
  if (bytes.type !== '') return bytes.type
  const dot = fileName.lastIndexOf('.')
  if (dot < 0) return 'image/png'
  return typeByExtension.get(fileName.slice(dot + 1).toLowerCase()) ?? 'application/octet-stream'
}
