import type { Http } from '#client/transport/http.ts'
import type { ImageRecord } from '#contract/image.ts'
import { mediaTypeOf } from '#contract/image-formats.ts'
import {
  type BatchUploadItem,
  type BatchUploadLine,
  uploadImage,
  uploadImageBatch,
} from '#contract/uploads/upload-operations.ts'
import { imageOfAnswer } from './image-records.ts'
import { callOf, fileNameOf, type UploadFile, type UploadOptions } from './upload-options.ts'

/** Image uploads. */
export class UploadOperations {
  /** @internal */
  readonly http: Http

  /** @internal */
  constructor(http: Http) {
    this.http = http
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
    return imageOfAnswer(await this.http.call(uploadImage, input))
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
    yield* this.http.lines(uploadImageBatch, { parts, ...callOf(options) })
  }
}

/** Appends the file after its fields, because a streaming server needs the fields before the bytes. */
const appendFile = (parts: FormData, { bytes, fileName }: UploadFile): void => {
  const name = fileNameOf({ bytes, fileName })
  const type = partTypeOf(bytes, name)
  const blob = bytes.type === type ? bytes : new Blob([bytes], { type })
  parts.append('file', blob, name)
}

const typeByExtension: ReadonlyMap<string, string> = new Map([
  ...Object.entries(mediaTypeOf),
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
