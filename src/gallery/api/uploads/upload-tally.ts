import { canMoveHere, type Upload } from './upload.ts'

export interface UploadTally {
  /** All uploads except cancelled ones. */
  readonly total: number
  readonly done: number
  readonly failed: number
  /** Duplicates that were not saved, because the gallery has the same bytes. */
  readonly known: number
  /** Duplicates whose existing image is on another board and can be moved to the target. */
  readonly canMove: number
  readonly left: number
  readonly cancelled: number
  readonly canRetry: number
  readonly bytes: number
  readonly bytesDone: number
  readonly bytesLeft: number
  /** Those of the done bytes that the server had before this page sent the others. */
  readonly bytesFound: number
  /** Progress by bytes, between 0 and 1. Failed uploads count as completed. */
  readonly share: number
}

/** Uploads that ended before a reload. They have no rows, but are included in the totals. */
export interface EarlierUploads {
  readonly done: number
  readonly failed: number
  readonly bytes: number
}

export const NONE_EARLIER: EarlierUploads = { done: 0, failed: 0, bytes: 0 }

/** Returns the counts that must survive a reload: all uploads that ended so far. */
export function endedOf(uploads: readonly Upload[], earlier: EarlierUploads): EarlierUploads {
  const { done = [], failed = [] } = byStatus(uploads)
  return {
    done: earlier.done + done.length,
    failed: earlier.failed + failed.length,
    bytes: earlier.bytes + bytesOf(done) + bytesOf(failed),
  }
}

export function tallyOf(uploads: readonly Upload[], earlier = NONE_EARLIER): UploadTally {
  const { done = [], failed = [], known = [], cancelled = [], ...groups } = byStatus(uploads)
  const unfinished = Object.values(groups).flat()
  const bytes = earlier.bytes + bytesOf(uploads) - bytesOf(cancelled)
  const bytesLeft = unfinished.reduce((sum, upload) => sum + upload.bytes - upload.sentBytes, 0)
  const bytesDone = bytes - bytesLeft
  const left = unfinished.length
  return {
    total: earlier.done + earlier.failed + uploads.length - cancelled.length,
    done: earlier.done + done.length,
    failed: earlier.failed + failed.length,
    known: known.length,
    canMove: known.filter(canMoveHere).length,
    left,
    cancelled: cancelled.length,
    canRetry: failed.filter(({ canRetry }) => canRetry).length,
    bytes,
    bytesDone,
    bytesLeft,
    bytesFound: uploads.reduce((sum, { foundBytes }) => sum + foundBytes, 0),
    // Below 1 until the last upload is settled: sent bytes are not on the server's disk yet.
    share: left === 0 ? 1 : Math.min(bytes === 0 ? 0 : bytesDone / bytes, 0.99),
  }
}

const byStatus = (uploads: readonly Upload[]) => Object.groupBy(uploads, ({ status }) => status)

/** Returns the size of all files, in bytes. */
export const bytesOf = (uploads: readonly Upload[]): number =>
  uploads.reduce((sum, { bytes }) => sum + bytes, 0)
