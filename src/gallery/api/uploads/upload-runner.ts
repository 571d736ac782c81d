import { isRefused, RefusedError } from '#client/errors.ts'
import { backoffMs } from '#contract/backoff.ts'
import type { Clock } from '#gallery/api/clock.ts'
import type { ServerCapabilities } from '#gallery/api/connection/capabilities.ts'
import { behindOf } from '#gallery/api/connection/reachability.ts'
import type { NewImages } from '#gallery/api/images/new-images.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { batchLimitsFor, nextBatch } from './next-batch.ts'
import type { Upload } from './upload.ts'
import { UploadHistory } from './upload-history.ts'
import {
  isResumable,
  type OutgoingFile,
  type SenderApi,
  sendUploads,
  uploadLimits,
} from './upload-sender.ts'
import type { UploadStore } from './upload-store.ts'
import { bytesOf } from './upload-tally.ts'

/** Number of concurrent requests. While one waits for the server's disk, the other uses the connection. */
const MAX_REQUESTS = 2

const retryBackoff = { firstMs: 2_000, longestMs: 30_000 }

const CONNECTION_LOST = 'The connection to the server was lost.'

/** A refusal says what is wrong, such as the database that does not answer. */
const reasonOfInterruption = (error: unknown): string =>
  error instanceof RefusedError ? reasonOf(error) : CONNECTION_LOST

interface Request {
  readonly uploadIds: ReadonlySet<string>
  readonly controller: AbortController
}

/** The parts of the data layer that uploads need. */
export interface UploadsApi extends SenderApi {
  readonly capabilities: Pick<ServerCapabilities, 'has' | 'areKnown' | 'whenKnown'>
  readonly clock: Clock
  readonly journal: Pick<Journal, 'add' | 'confirm' | 'describe' | 'getState'>
  readonly newImages: Pick<NewImages, 'insertUploaded' | 'refreshAfterUploads'>
}

export class UploadRunner {
  readonly #api: UploadsApi
  readonly #store: UploadStore
  readonly #requests = new Set<Request>()
  readonly #history: UploadHistory
  #failuresInARow = 0
  #isServerAsked = false
  /** Speed of the last complete request. */
  #bytesPerMs: number | null = null
  /** Size of a request that a proxy may accept, after it refused a larger one. */
  #proxyBytes = Number.POSITIVE_INFINITY

  constructor(api: UploadsApi, store: UploadStore) {
    this.#api = api
    this.#store = store
    this.#history = new UploadHistory(api)
    store.onChange(({ readingCount }, before) => {
      if (readingCount < before.readingCount && this.#requests.size === 0) this.#endHistory()
    })
  }

  /** Ends the journal entry of the uploads, unless more files of a folder may follow. */
  #endHistory(): void {
    const { tally, readingCount } = this.#store.current()
    if (tally.left === 0 && readingCount === 0) this.#history.end()
  }

  /** Sends waiting uploads. Call it after every change that may have added some. */
  run(): void {
    const { capabilities } = this.#api
    if (!capabilities.areKnown) {
      // Sent as to an InvokeAI, a large file would not go on after a break, and one sent again would be a second image.
      if (!this.#isServerAsked) capabilities.whenKnown(() => this.run())
      this.#isServerAsked = true
      return
    }
    while (this.#requests.size < MAX_REQUESTS) {
      const { uploads, isPaused, retryAt } = this.#store.current()
      if (isPaused || retryAt !== null) return
      const { maxFilesPerRequest } = uploadLimits(this.#api)
      const limits = batchLimitsFor(uploads, maxFilesPerRequest, this.#bytesPerMs)
      const maxBytes = Math.min(limits.maxBytes, this.#proxyBytes)
      const batch = nextBatch(uploads, { ...limits, maxBytes }, ({ bytes }) =>
        isResumable(this.#api, bytes),
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

  retryNow(): void {
    this.#store.setRetryAt(null)
    this.run()
  }

  async #send(batch: readonly Upload[]): Promise<void> {
    const uploadIds = batch.map(({ uploadId }) => uploadId)
    const request = { uploadIds: new Set(uploadIds), controller: new AbortController() }
    this.#requests.add(request)
    this.#store.apply({ type: 'started', uploadIds })
    const { signal } = request.controller
    const made: string[] = []
    let left = batch.length
    // Undo must be there as soon as the page says that all are uploaded.
    const addToHistory = () => {
      if (batch[0]) this.#history.add(batch[0].target, made.splice(0))
    }
    let startedAt: number | null = null
    let found: number | null = null
    let sent = 0
    try {
      const outcomes = sendUploads(this.#api, this.#outgoingFilesOf(batch), {
        boardId: batch[0]?.target.boardId ?? null,
        signal,
        onProgress: ({ sentBytes }) => {
          // Before the first progress, the request may have waited for the rate limit.
          startedAt ??= this.#api.clock.elapsed()
          sent = sentBytes
          this.#store.queue({ type: 'progressed', uploadIds, sentBytes })
        },
        onFound: (bytes) => {
          found = bytes
          for (const uploadId of uploadIds) this.#store.apply({ type: 'found', uploadId, bytes })
        },
      })
      for await (const outcome of outcomes) {
        this.#failuresInARow = 0
        left -= 1
        if (outcome.type === 'completed') made.push(outcome.image.image_name)
        if (left === 0) addToHistory()
        this.#store.queue(outcome)
        if (outcome.type === 'completed') this.#api.newImages.insertUploaded(outcome.image)
      }
      // An unanswered upload would stay active forever.
      this.#store.apply({ type: 'interrupted', uploadIds, reason: CONNECTION_LOST })
      this.#bytesPerMs = this.#speedOf(bytesOf(batch) - (found ?? 0), startedAt)
    } catch (error) {
      const isTooLarge = isRefused(error, 'proxy_too_large')
      if (isTooLarge) this.#proxyBytes = Math.min(this.#proxyBytes, bytesOf(batch) / 2)
      if (signal.aborted || isTooLarge) {
        this.#store.apply({ type: 'put back', uploadIds })
      } else {
        const hasAdvanced = found !== null && sent > found
        if (hasAdvanced) this.#failuresInARow = 0
        const reason = reasonOfInterruption(error)
        this.#store.apply({ type: 'interrupted', uploadIds, reason, hasAdvanced })
        this.#scheduleRetry(error)
      }
    } finally {
      this.#requests.delete(request)
      addToHistory()
      this.#endHistory()
      this.run()
      if (this.#requests.size === 0) this.#api.newImages.refreshAfterUploads()
    }
  }

  readonly #speedOf = (bytes: number, startedAt: number | null): number | null =>
    startedAt === null
      ? this.#bytesPerMs
      : bytes / Math.max(1, this.#api.clock.elapsed() - startedAt)

  readonly #outgoingFilesOf = (batch: readonly Upload[]): OutgoingFile[] =>
    batch.flatMap(({ uploadId, keepsBoth }) => {
      const file = this.#store.files.get(uploadId)
      return file ? [{ uploadId, file, keepsBoth }] : []
    })

  /** The delay grows, so that clients do not overload a restarting server. */
  #scheduleRetry(error: unknown): void {
    if (this.#store.current().retryAt !== null) return
    const waitMs = backoffMs(retryBackoff, this.#failuresInARow)
    this.#failuresInARow += 1
    this.#store.setRetryAt(this.#api.clock.now() + waitMs, behindOf(error)?.name)
    this.#api.clock.setTimeout(() => this.retryNow(), waitMs)
  }
}
