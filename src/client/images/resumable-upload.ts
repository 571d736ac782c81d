import { isRefused, orIfRefused } from '#client/errors.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { ImageRecord } from '#contract/image.ts'
import {
  continueResumableUpload,
  createResumableUpload,
  discardResumableUpload,
  TUS_VERSION,
} from '#contract/uploads/resumable-upload-operations.ts'
import { imageOfAnswer } from './image-records.ts'
import type { UploadOperations } from './upload-operations.ts'
import { callOf, fileNameOf, type UploadFile, type UploadOptions } from './upload-options.ts'

const TUS = { 'tus-resumable': TUS_VERSION }

/** Bytes per request. A proxy may keep a request until it is complete, so a break loses this much behind it. */
const CHUNK_BYTES = 64 * 1024 * 1024

/** Bytes per request for a proxy that refuses more. nginx accepts 1 MiB without a setting. */
const MIN_CHUNK_BYTES = 512 * 1024

const offsetOf = ({ headers }: Response): number => Number(headers.get('upload-offset') ?? 0)

/** Options of an upload that goes on after a break. */
export interface ResumableOptions extends UploadOptions {
  /** Called once with the number of bytes that the server has already. */
  readonly onFound?: ((arrivedBytes: number) => void) | undefined
}

/**
 * Uploads one file of any size (extension `resumable_uploads`). If the connection breaks, call it again with the same
 * `uploadId`: it goes on where it stopped, also in another process, until a day after the last byte.
 *
 * @example
 * const bytes = await openFile('holiday.mp4')
 * await uploadResumable(client.uploads, { bytes, fileName: 'holiday.mp4', uploadId: 'holiday-2026' })
 *
 * @throws {RefusedError} Nothing was saved. With `already_here`, a call with `knownBytes: 'keep'` saves a second image
 *   and sends no byte again.
 * @throws {ConnectionError} Call it again.
 */
export async function uploadResumable(
  uploads: UploadOperations,
  file: UploadFile & { readonly uploadId: string },
  options: ResumableOptions = {},
): Promise<ImageRecord> {
  const { bytes, uploadId } = file
  const { onProgress, onFound, signal, priority, timeoutMs, ...target } = options
  const call = { signal, priority, timeoutMs }
  const { query } = callOf(target)
  const begin = () =>
    uploads.http.answer(createResumableUpload, {
      ...call,
      headers: {
        ...TUS,
        'upload-length': String(bytes.size),
        'upload-metadata': tusMetadata({
          ...query,
          is_intermediate: String(query.is_intermediate),
          filename: fileNameOf(file),
          upload_id: uploadId,
          taken_at: file.takenAt,
          known_bytes: file.knownBytes,
        }),
      },
    })
  let answer = await begin()
  let offset = offsetOf(answer)
  if (answer.status !== 200) onFound?.(offset)
  const params = { upload_key: lastSegmentOf(answer.headers.get('location') ?? uploadId) }
  let chunkBytes = CHUNK_BYTES
  let isOffsetNew = false
  while (answer.status !== 200) {
    const start = offset
    const end = Math.min(start + chunkBytes, bytes.size)
    try {
      answer = await uploads.http.answer(continueResumableUpload, {
        ...call,
        params,
        headers: { ...TUS, 'upload-offset': String(start) },
        bytes: bytes.slice(start, end),
        onProgress:
          onProgress &&
          (({ sentBytes }) =>
            onProgress({
              // A browser may count more than the bytes of the body.
              sentBytes: Math.min(start + sentBytes, end),
              totalBytes: bytes.size,
            })),
      })
      isOffsetNew = false
    } catch (error) {
      if (isRefused(error, 'proxy_too_large') && chunkBytes > MIN_CHUNK_BYTES) {
        chunkBytes = Math.ceil(Math.min(chunkBytes, bytes.size - start) / 2)
        continue
      }
      // Browsers repeat a request whose connection broke, although the server got some of its bytes.
      if (isOffsetNew || !isRefused(error, 'wrong_offset')) throw error
      isOffsetNew = true
      answer = await begin()
    }
    offset = offsetOf(answer)
  }
  return imageOfAnswer(await answer.json())
}

/**
 * Deletes the bytes of an upload that began with `uploadResumable` and did not end.
 *
 * @returns `false` if the server has none.
 */
export const discardResumable = (
  uploads: UploadOperations,
  uploadId: string,
  options: CallOptions = {},
): Promise<boolean> => {
  const input = { params: { upload_key: uploadId }, headers: TUS, ...options }
  const discarded = uploads.http.answer(discardResumableUpload, input).then(() => true)
  return orIfRefused(discarded, false, 404)
}

/** The part of a path that follows the last slash. */
const lastSegmentOf = (place: string): string =>
  decodeURIComponent(place.slice(place.lastIndexOf('/') + 1))

/** Writes pairs as tus wants them: values are UTF-8 in Base64. Absent values are left out. */
const tusMetadata = (values: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(values)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(
      ([key, value]) => `${key} ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`,
    )
    .join(',')
