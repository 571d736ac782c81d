import { backoffMs } from '#contract/backoff.ts'
import type { Clock } from '#gallery/api/clock.ts'
import type { NewImages } from '#gallery/api/images/new-images.ts'
import { batchLimitsFor, nextBatch } from './next-batch.ts'
import type { Upload } from './upload.ts'
import type { OutgoingFile, UploadSender } from './upload-sender.ts'
import type { UploadStore } from './upload-store.ts'

/** Number of concurrent requests. While one waits for the server's disk, the other uses the connection. */
const MAX_REQUESTS = 2

const retryBackoff = { firstMs: 2_000, longestMs: 30_000 }

const CONNECTION_LOST = 'The connection to the server was lost.'

interface Request {
  readonly uploadIds: ReadonlySet<string>
  readonly controller: AbortController
}

interface UploadRunnerOptions {
  readonly clock: Clock
  readonly sender: UploadSender
  readonly newImages: NewImages
  readonly store: UploadStore
}

/** Sends the waiting uploads. */
export class UploadRunner {
  readonly #api: UploadRunnerOptions
  readonly #requests = new Set<Request>()
  #failuresInARow = 0
  /** Speed of the last complete request. */
  #bytesPerMs: number | null = null
  /**
   * Files of unfinished uploads by upload id. They are not in the store, because they never change and rendering
   * needs only a few of them.
   */
  readonly #files = new Map<string, File>()

  constructor(api: UploadRunnerOptions) {
    this.#api = api
  }

  /**
   * Sends waiting uploads up to the number of concurrent requests. Call it after every change that may have added
   * waiting uploads.
   */
  run(): void {
    while (this.#requests.size < MAX_REQUESTS) {
      const { uploads, isPaused, retryAt } = this.#api.store.current()
      if (isPaused || retryAt !== null) return
      const { maxFilesPerRequest } = this.#api.sender.limits()
      const batch = nextBatch(
        uploads,
        batchLimitsFor(uploads, maxFilesPerRequest, this.#bytesPerMs),
      )
      if (batch.length === 0) return
      void this.#send(batch)
    }
  }

  /** Aborts the requests that contain affected uploads. Their other uploads wait again. */
  abort(isAffected: (uploadId: string) => boolean): void {
    for (const { uploadIds, controller } of this.#requests) {
      if ([...uploadIds].some(isAffected)) controller.abort()
    }
  }

  /** Ends the delay and sends waiting uploads. */
  retryNow(): void {
    this.#api.store.setRetryAt(null)
    this.run()
  }

  readonly fileOf = (uploadId: string): File | undefined => this.#files.get(uploadId)

  rememberFile(uploadId: string, file: File): void {
    this.#files.set(uploadId, file)
  }

  forgetFiles(uploadIds: Iterable<string>): void {
    for (const uploadId of uploadIds) this.#files.delete(uploadId)
  }

  async #send(batch: readonly Upload[]): Promise<void> {
    const uploadIds = batch.map(({ uploadId }) => uploadId)
    const request = { uploadIds: new Set(uploadIds), controller: new AbortController() }
    this.#requests.add(request)
    this.#api.store.apply({ type: 'started', uploadIds })
    const { signal } = request.controller
    let startedAt: number | null = null
    try {
      const outcomes = this.#api.sender.send(this.#outgoingFilesOf(batch), {
        boardId: batch[0]?.target.boardId ?? null,
        signal,
        onProgress: ({ sentBytes }) => {
          // Start the clock at the first progress: before it, the request may have waited for the
          // rate limit.
          startedAt ??= this.#api.clock.elapsed()
          this.#api.store.queue({ type: 'progressed', uploadIds, sentBytes })
        },
      })
      for await (const outcome of outcomes) {
        this.#failuresInARow = 0
        if ('image' in outcome) {
          const { uploadId, image, thumbnailUrl } = outcome
          this.#api.store.queue({
            type: 'completed',
            uploadId,
            imageName: image.image_name,
            thumbnailUrl,
          })
          this.#api.newImages.insertUploaded(image)
        } else if ('known' in outcome) {
          const { uploadId, known, sameImage } = outcome
          this.#api.store.queue({ type: 'known', uploadId, reason: known, sameImage })
        } else {
          this.#api.store.queue({ type: 'refused', ...outcome })
        }
      }
      // Has no effect if all uploads were answered. Otherwise an unanswered upload would stay active
      // forever.
      this.#api.store.apply({ type: 'interrupted', uploadIds, reason: CONNECTION_LOST })
      this.#bytesPerMs = this.#speedOf(batch, startedAt)
    } catch {
      if (signal.aborted) {
        this.#api.store.apply({ type: 'put back', uploadIds })
      } else {
        this.#api.store.apply({ type: 'interrupted', uploadIds, reason: CONNECTION_LOST })
        this.#scheduleRetry()
      }
    } finally {
      this.#requests.delete(request)
      this.run()
      if (this.#requests.size === 0) this.#api.newImages.refreshAfterUploads()
    }
  }

  readonly #speedOf = (batch: readonly Upload[], startedAt: number | null): number | null =>
    startedAt === null
      ? this.#bytesPerMs
      : batch.reduce((sum, { bytes }) => sum + bytes, 0) /
        Math.max(1, this.#api.clock.elapsed() - startedAt)

  readonly #outgoingFilesOf = (batch: readonly Upload[]): OutgoingFile[] =>
    batch.flatMap(({ uploadId, keepsBoth }) => {
      const file = this.fileOf(uploadId)
      return file ? [{ uploadId, file, keepsBoth }] : []
    })

  /**
   * Schedules the next attempt after a connection loss. The delay grows, so that clients do not overload a
   * restarting server.
   */
  #scheduleRetry(): void {
    if (this.#api.store.current().retryAt !== null) return
    const waitMs = backoffMs(retryBackoff, this.#failuresInARow)
    this.#failuresInARow += 1
    this.#api.store.setRetryAt(this.#api.clock.now() + waitMs)
    this.#api.clock.setTimeout(() => this.retryNow(), waitMs)
  }
}
