import { canMoveHere, isActive, isUnfinished, type Upload } from './upload.ts'

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
  readonly active: number
  readonly cancelled: number
  readonly canRetry: number
  readonly bytes: number
  readonly bytesDone: number
  readonly bytesLeft: number
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
  let { done, failed, bytes } = earlier
  for (const { status, bytes: size } of uploads) {
    if (status === 'done') done += 1
    else if (status === 'failed') failed += 1
    else continue
    bytes += size
  }
  return { done, failed, bytes }
}

export function tallyOf(uploads: readonly Upload[], earlier = NONE_EARLIER): UploadTally {
  let { done, failed } = earlier
  let known = 0
  let canMove = 0
  let cancelled = 0
  let active = 0
  let canRetry = 0
  let { bytes } = earlier
  let bytesDone = earlier.bytes
  let bytesLeft = 0
  for (const upload of uploads) {
    if (upload.status === 'cancelled') {
      cancelled += 1
      continue
    }
    bytes += upload.bytes
    if (upload.status === 'done') done += 1
    if (upload.status === 'known') known += 1
    if (canMoveHere(upload)) canMove += 1
    if (upload.status === 'failed') {
      failed += 1
      if (upload.canRetry) canRetry += 1
    }
    if (isActive(upload)) active += 1
    const isSettled = !isUnfinished(upload)
    bytesDone += isSettled ? upload.bytes : upload.sentBytes
    if (!isSettled) bytesLeft += upload.bytes - upload.sentBytes
  }
  const total = uploads.length + earlier.done + earlier.failed - cancelled
  const left = total - done - failed - known
  // Below 1 until the last upload is settled: sent bytes are not on the server's disk yet.
  const share = left === 0 ? 1 : Math.min(bytes === 0 ? 0 : bytesDone / bytes, 0.99)
  return {
    total,
    done,
    failed,
    known,
    canMove,
    left,
    active,
    cancelled,
    canRetry,
    bytes,
    bytesDone,
    bytesLeft,
    share,
  }
}
