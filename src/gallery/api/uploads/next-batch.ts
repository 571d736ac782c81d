import type { Upload } from './upload.ts'
import { bytesOf } from './upload-tally.ts'

export interface BatchLimits {
  readonly maxFiles: number
  readonly maxBytes: number
}

const DEFAULT_FILES = 50
const DEFAULT_BYTES = 64_000_000

/** Requests for a whole queue. Of the ten batch operations per minute, some are left for moving and starring. */
const TARGET_REQUESTS = 7

/** Maximum bytes per request for long queues: a lost connection costs more with larger requests. */
const MAX_BYTES = 512_000_000

/** Maximum bytes per request until the upload speed is known. */
const INITIAL_BYTES = 32_000_000

/** Target duration of a request. The first image is confirmed only after the last byte is sent. */
const MAX_REQUEST_MS = 15_000
const MIN_BYTES = 4_000_000

/**
 * Returns the limits of the next request: fifty files or 64 MB, so that images appear soon and a lost
 * connection costs little. It is larger for queues so long that the rate limit, and not the connection, would
 * set the pace, and smaller for slow connections.
 *
 * @param bytesPerMs - Speed of the last request; null before the first.
 */
export function batchLimitsFor(
  uploads: readonly Upload[],
  maxFilesPerRequest: number,
  bytesPerMs: number | null,
): BatchLimits {
  const counted = uploads.filter(({ status }) => status !== 'cancelled')
  const bytesPerRequest = Math.ceil(bytesOf(counted) / TARGET_REQUESTS)
  const wanted = Math.min(MAX_BYTES, Math.max(DEFAULT_BYTES, bytesPerRequest))
  const inTime = bytesPerMs === null ? INITIAL_BYTES : bytesPerMs * MAX_REQUEST_MS
  return {
    maxFiles: Math.min(
      maxFilesPerRequest,
      Math.max(DEFAULT_FILES, Math.ceil(counted.length / TARGET_REQUESTS)),
    ),
    maxBytes: Math.max(MIN_BYTES, Math.min(wanted, inTime)),
  }
}

/**
 * Returns the first waiting uploads with the same board. A file that exceeds the limit is sent alone.
 *
 * @param isAlone - Decides about further files that are sent alone.
 */
export function nextBatch(
  uploads: readonly Upload[],
  limits: BatchLimits,
  isAlone: (upload: Upload) => boolean = () => false,
): readonly Upload[] {
  const waiting = uploads.filter(({ status }) => status === 'waiting')
  const boardId = waiting[0]?.target.boardId
  const batch: Upload[] = []
  let bytes = 0
  for (const upload of waiting) {
    if (upload.target.boardId !== boardId) continue
    if (isAlone(upload)) {
      if (batch.length === 0) return [upload]
      continue
    }
    const isFull = batch.length === limits.maxFiles || bytes + upload.bytes > limits.maxBytes
    if (isFull && batch.length > 0) break
    batch.push(upload)
    bytes += upload.bytes
  }
  return batch
}
