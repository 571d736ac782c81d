import type { CallOptions, UploadProgress } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { DEFAULT_IMAGE_CATEGORY, type ImageCategory, type ImageRecord } from '#contract/image.ts'
import {
  type BatchUploadItem,
  type BatchUploadLine,
  uploadImage,
  uploadImageBatch,
} from '#contract/upload-operations.ts'
import { imageOfAnswer } from './image-operations.ts'

/** Where uploads go and what is told while they do. */
export interface UploadOptions extends CallOptions {
  /** Absent, null or `none`: uncategorized. `none` is never sent (spec 4.3, rule 1). */
  readonly boardId?: string | null | undefined
  /** The default is `user`. */
  readonly imageCategory?: ImageCategory | undefined
  /** The default is false. */
  readonly isIntermediate?: boolean | undefined
  readonly sessionId?: string | null | undefined
  /** Called as the body leaves, where the platform can tell: in a browser. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
}

/** One file to upload. */
export interface UploadFile {
  readonly bytes: Blob
  /** Absent: the name of a `File`, else none. */
  readonly fileName?: string | undefined
  /** Made by the caller; a repeat answers the record that is there (extension). */
  readonly uploadId?: string | undefined
  /** The file's own date, for files whose EXIF has none (extension). UTC, `YYYY-MM-DD HH:MM:SS.mmm`. */
  readonly takenAt?: string | undefined
  /** What happens when an image with the same bytes is there; `keep` makes a second one. Only in a batch. */
  readonly knownBytes?: 'keep' | 'refuse' | undefined
  /** An object that is kept in the record. Only for a single upload. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** Brings images in. */
export class UploadOperations {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Uploads one image. Answered when it would survive a power cut.
   *
   * @throws {RefusedError} Nothing was kept; `detail` names the reason.
   * @throws {ConnectionError} It may or may not have arrived: repeat it with the same `uploadId`.
   */
  async upload(file: UploadFile, options: UploadOptions = {}): Promise<ImageRecord> {
    const parts = new FormData()
    if (file.metadata) parts.append('metadata', JSON.stringify(file.metadata))
    if (file.takenAt !== undefined) parts.append('taken_at', file.takenAt)
    appendFile(parts, file)
    const { signal, priority, onProgress } = options
    const query = { ...queryOfUpload(options), upload_id: file.uploadId }
    const call = { query, parts, onProgress, signal, priority }
    return imageOfAnswer(await this.#http.call(uploadImage, call))
  }

  /**
   * Uploads many images in one request (extension `batch_upload`): a line for each, in the order in
   * which they become durable. A file that is refused has `refusal` in its line and stops no other.
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
    const { signal, priority, onProgress } = options
    const query = queryOfUpload(options)
    yield* this.#http.lines(uploadImageBatch, { query, parts, onProgress, signal, priority })
  }
}

/** The file comes last: a server that streams needs to know about it before its bytes. */
const appendFile = (parts: FormData, { bytes, fileName }: UploadFile): void => {
  const name = fileName ?? (bytes instanceof File ? bytes.name : 'image')
  const type = partTypeOf(bytes, name)
  const blob = bytes.type === type ? bytes : new Blob([bytes], { type })
  parts.append('file', blob, name)
}

const queryOfUpload = (options: UploadOptions) => {
  const { boardId, imageCategory = DEFAULT_IMAGE_CATEGORY, isIntermediate = false } = options
  const isOnBoard = boardId !== UNCATEGORIZED_BOARD_ID && boardId !== null
  return {
    image_category: imageCategory,
    is_intermediate: isIntermediate,
    board_id: isOnBoard ? boardId : undefined,
    session_id: options.sessionId ?? undefined,
  }
}

const typeByExtension: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  heic: 'image/heic',
  svg: 'image/svg+xml',
}

/**
 * The media type of a file's part, which must say that it is an image (wire 2.2): what the platform
 * knows, else what the name tells, else PNG. The server looks at the bytes themselves.
 */
const partTypeOf = (bytes: Blob, fileName: string): string => {
  if (bytes.type !== '') return bytes.type
  const dot = fileName.lastIndexOf('.')
  if (dot < 0) return 'image/png'
  return typeByExtension[fileName.slice(dot + 1).toLowerCase()] ?? 'application/octet-stream'
}
