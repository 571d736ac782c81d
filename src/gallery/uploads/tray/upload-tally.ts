import { canMoveHere, isActive, isUnfinished, type Upload } from '#gallery/uploads/upload.ts'

/** What a queue comes to. */
export interface UploadTally {
  /** All but the cancelled ones. */
  readonly total: number
  readonly done: number
  readonly failed: number
  /** Not taken, since the same bytes are there already. */
  readonly known: number
  /** Of these, images on another board that can be moved to the one that the upload was for. */
  readonly canMove: number
  /** Waiting or under way. */
  readonly left: number
  readonly active: number
  readonly cancelled: number
  readonly canRetry: number
  readonly bytes: number
  readonly bytesDone: number
  /** Bytes that are still to go, of those that are left. */
  readonly bytesLeft: number
  /** Of 1, by bytes; what failed counts as gone through. */
  readonly share: number
}

/** Uploads that ended before the page was reloaded. They have no rows, and still count. */
export interface EarlierUploads {
  readonly done: number
  readonly failed: number
  readonly bytes: number
}

export const NONE_EARLIER: EarlierUploads = { done: 0, failed: 0, bytes: 0 }

/** What a reload must remember of a queue: all that has ended so far. */
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
  // Not 1 until the last is settled: bytes that were sent are not yet on the server's disk.
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
