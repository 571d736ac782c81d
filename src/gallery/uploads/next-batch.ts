import type { Upload } from './upload.ts'

/** What one request may carry. */
export interface BatchLimits {
  readonly maxFiles: number
  readonly maxBytes: number
}

const DEFAULT_FILES = 50
const DEFAULT_BYTES = 64_000_000

/** Requests that a queue is spread over: a minute allows ten, and some of them are for moving and starring. */
const TARGET_REQUESTS = 7

/** The most that a long queue puts into one request: past this a broken connection costs too much. */
const MAX_BYTES = 512_000_000

/** What the first requests carry, before it is known how fast the line is. */
const INITIAL_BYTES = 32_000_000

/** A browser hears of a request's first image when its last byte is gone, so on a slow line that must not take long. */
const MAX_REQUEST_MS = 15_000
const MIN_BYTES = 4_000_000

/**
 * How much goes into one request. Fifty files or 64 MB, so that pictures appear soon and a broken
 * connection costs little; more where the queue is so long that the server's limit on requests, and not
 * the line, would set the pace; less where the line is slow.
 *
 * @param bytesPerMs - How fast the last request went; null before the first.
 */
export function batchLimitsFor(
  uploads: readonly Upload[],
  maxFilesPerRequest: number,
  bytesPerMs: number | null,
): BatchLimits {
  const counted = uploads.filter(({ status }) => status !== 'cancelled')
  const bytes = counted.reduce((sum, upload) => sum + upload.bytes, 0)
  const wanted = Math.min(MAX_BYTES, Math.max(DEFAULT_BYTES, Math.ceil(bytes / TARGET_REQUESTS)))
  const inTime = bytesPerMs === null ? INITIAL_BYTES : bytesPerMs * MAX_REQUEST_MS
  return {
    maxFiles: Math.min(
      maxFilesPerRequest,
      Math.max(DEFAULT_FILES, Math.ceil(counted.length / TARGET_REQUESTS)),
    ),
    maxBytes: Math.max(MIN_BYTES, Math.min(wanted, inTime)),
  }
}

/** The uploads of the next request: those in front of the line that go to the same board. Never half a file. */
export function nextBatch(uploads: readonly Upload[], limits: BatchLimits): readonly Upload[] {
  const waiting = uploads.filter(({ status }) => status === 'waiting')
  const boardId = waiting[0]?.target.boardId
  const batch: Upload[] = []
  let bytes = 0
  for (const upload of waiting) {
    if (upload.target.boardId !== boardId) continue
    const isFull = batch.length === limits.maxFiles || bytes + upload.bytes > limits.maxBytes
    if (isFull && batch.length > 0) break
    batch.push(upload)
    bytes += upload.bytes
  }
  return batch
}
