import { backoffMs } from '#contract/backoff.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import type { OutgoingFile } from '#gallery/api/uploads.ts'
import { batchLimitsFor, nextBatch } from './next-batch.ts'
import type { Upload } from './upload.ts'
import { applyUploadEvent, currentUploads, queueUploadEvent, setRetryAt } from './upload-store.ts'

/** Number of concurrent requests. While one waits for the server's disk, the other uses the connection. */
const MAX_REQUESTS = 2

const retryBackoff = { firstMs: 2_000, longestMs: 30_000 }
const CONNECTION_LOST = 'The connection to the server was lost.'

interface Request {
  readonly uploadIds: ReadonlySet<string>
  readonly controller: AbortController
}

const requests = new Set<Request>()
let failuresInARow = 0
/** Speed of the last complete request. */
let bytesPerMs: number | null = null

/**
 * Sends waiting uploads up to the number of concurrent requests. Call it after every change that may have added
 * waiting uploads.
 */
export function runUploads(): void {
  while (requests.size < MAX_REQUESTS) {
    const { uploads, isPaused, retryAt } = currentUploads()
    if (isPaused || retryAt !== null) return
    const { maxFilesPerRequest } = theGallery.uploads.limits()
    const batch = nextBatch(uploads, batchLimitsFor(uploads, maxFilesPerRequest, bytesPerMs))
    if (batch.length === 0) return
    void send(batch)
  }
}

/** Aborts the requests that contain affected uploads. Their other uploads wait again. */
export function abortRequests(isAffected: (uploadId: string) => boolean): void {
  for (const { uploadIds, controller } of requests) {
    if ([...uploadIds].some(isAffected)) controller.abort()
  }
}

async function send(batch: readonly Upload[]): Promise<void> {
  const uploadIds = batch.map(({ uploadId }) => uploadId)
  const request = { uploadIds: new Set(uploadIds), controller: new AbortController() }
  requests.add(request)
  applyUploadEvent({ type: 'started', uploadIds })
  const { signal } = request.controller
  let startedAt: number | null = null
  try {
    const outcomes = theGallery.uploads.send(outgoingFilesOf(batch), {
      boardId: batch[0]?.target.boardId ?? null,
      signal,
      onProgress: ({ sentBytes }) => {
        // Start the clock at the first progress: before it, the request may have waited for the
        // rate limit.
        startedAt ??= performance.now()
        queueUploadEvent({ type: 'progressed', uploadIds, sentBytes })
      },
    })
    for await (const outcome of outcomes) {
      failuresInARow = 0
      if ('image' in outcome) {
        const { uploadId, image, thumbnailUrl } = outcome
        queueUploadEvent({ type: 'completed', uploadId, imageName: image.image_name, thumbnailUrl })
        theGallery.uploads.showSoon()
      } else if ('known' in outcome) {
        const { uploadId, known, sameImage } = outcome
        queueUploadEvent({ type: 'known', uploadId, reason: known, sameImage })
      } else {
        queueUploadEvent({ type: 'refused', ...outcome })
      }
    }
    // Has no effect if all uploads were answered. Otherwise an unanswered upload would stay active
    // forever.
    applyUploadEvent({ type: 'interrupted', uploadIds, reason: CONNECTION_LOST })
    bytesPerMs = speedOf(batch, startedAt)
  } catch {
    if (signal.aborted) {
      applyUploadEvent({ type: 'put back', uploadIds })
    } else {
      applyUploadEvent({ type: 'interrupted', uploadIds, reason: CONNECTION_LOST })
      scheduleRetry()
    }
  } finally {
    requests.delete(request)
    runUploads()
    if (requests.size === 0) theGallery.uploads.showNow()
  }
}

const speedOf = (batch: readonly Upload[], startedAt: number | null): number | null =>
  startedAt === null
    ? bytesPerMs
    : batch.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(1, performance.now() - startedAt)

const outgoingFilesOf = (batch: readonly Upload[]): OutgoingFile[] =>
  batch.flatMap(({ uploadId, keepsBoth }) => {
    const file = fileOf(uploadId)
    return file ? [{ uploadId, file, keepsBoth }] : []
  })

/**
 * Schedules the next attempt after a connection loss. The delay grows, so that clients do not overload a
 * restarting server.
 */
function scheduleRetry(): void {
  if (currentUploads().retryAt !== null) return
  const waitMs = backoffMs(retryBackoff, failuresInARow)
  failuresInARow += 1
  setRetryAt(Date.now() + waitMs)
  window.setTimeout(retryNow, waitMs)
}

/** Ends the delay and sends waiting uploads. */
export function retryNow(): void {
  setRetryAt(null)
  runUploads()
}

/**
 * Files of unfinished uploads by upload id. They are not in the store, because they never change and rendering
 * needs only a few of them.
 */
const files = new Map<string, File>()

export const fileOf = (uploadId: string): File | undefined => files.get(uploadId)

export function rememberFile(uploadId: string, file: File): void {
  files.set(uploadId, file)
}

export function forgetFiles(uploadIds: Iterable<string>): void {
  for (const uploadId of uploadIds) files.delete(uploadId)
}

/**
 * Creates a random upload id. `crypto.randomUUID` is missing on plain HTTP, which galleries in home networks
 * use.
 */
export function newUploadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
