import { ConnectionError, isRefused, RefusedError } from '#client/errors.ts'
import type { TesseraClient } from '#client/index.ts'
import type { UploadProgress } from '#client/transport/call.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import { type Clock, Timer } from '#gallery/api/clock.ts'
import type { ServerCapabilities } from '#gallery/api/connection/capabilities.ts'
import type { OtherTabs } from '#gallery/api/connection/other-tabs.ts'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import type { Refresh } from '#gallery/api/refresh.ts'

/** A file to upload. */
export interface OutgoingFile {
  readonly uploadId: string
  readonly file: File
  /** True to create a second image if the library already has the same bytes. */
  readonly keepsBoth: boolean
}

/** The result of one upload. */
export type UploadOutcome = { readonly uploadId: string } & (
  | { readonly image: ImageRecord; readonly thumbnailUrl: string }
  | { readonly reason: string; readonly canRetry: boolean }
  /** The library already has the same bytes. `known` says where, and `sameImage` is that image if known. */
  | { readonly known: string; readonly sameImage: ImageRecord | null }
)

interface SendOptions {
  /** `null`: on no board. */
  readonly boardId: string | null
  readonly signal: AbortSignal
  readonly onProgress: (progress: UploadProgress) => void
}

/** Temporary refusals, which do not depend on the file. */
const PASSING: readonly (RefusalCode | 'unexpected')[] = [
  'board_not_found',
  'busy',
  'disk_error',
  'disk_full',
  'library_read_only',
  'rate_limited',
  'stopping',
  'unauthorized',
  'unexpected',
  'upload_cut_off',
  'upstream_timeout',
]

/** Refusals after which all files are sent again automatically: the user is signed out, or the upstream is down. */
const WAITING = ['login_required', 'upstream_busy', 'upstream_down'] as const

interface RefusalOfFile {
  code: string
  detail?: string
  same_image?: ImageRecord
}

/** The delay before the first uploaded images are shown, in milliseconds. */
const FIRST_MS = 1000

/** The gap between later refetches, in milliseconds. Each uses a few of the hundred requests per minute. */
const APART_MS = 4000

interface UploadSenderOptions {
  readonly client: TesseraClient
  readonly clock: Clock
  readonly capabilities: ServerCapabilities
  readonly tabs: OtherTabs
  readonly refresh: Refresh
}

/** Sends files, and shows their images. */
export class UploadSender {
  readonly #client: TesseraClient
  readonly #clock: Clock
  readonly #capabilities: ServerCapabilities
  readonly #tabs: OtherTabs
  readonly #refresh: Refresh
  readonly #timer: Timer
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor({ client, clock, capabilities, tabs, refresh }: UploadSenderOptions) {
    this.#client = client
    this.#clock = clock
    this.#capabilities = capabilities
    this.#tabs = tabs
    this.#refresh = refresh
    this.#timer = new Timer(clock)
  }

  /** Returns the limits of upload requests. Files beyond `maxBytes` or in unknown formats need not be sent. */
  limits() {
    const limits = this.#client.server.known?.limits
    const isBatch = this.#capabilities.has('batch_upload')
    return {
      maxFilesPerRequest: isBatch ? (limits?.max_files_per_batch ?? 1) : 1,
      maxBytes: isBatch ? (limits?.max_upload_bytes ?? null) : null,
      onlyKnownFormats: isBatch,
    }
  }

  /**
   * Sends files in one request and yields the result of each as soon as it is known.
   *
   * @throws {ConnectionError | RefusedError} The connection was lost, or the server accepts no uploads for now. Files
   *   without a result must be sent again with the same ID.
   */
  async *send(
    files: readonly OutgoingFile[],
    { boardId, signal, onProgress }: SendOptions,
  ): AsyncGenerator<UploadOutcome> {
    const options = { boardId, signal, onProgress, lane: 'background' as const }
    const told = new Set<string>()
    try {
      if (!this.#capabilities.has('batch_upload')) {
        for (const file of files) {
          const { uploadId } = file
          const image = await this.#client.uploads.upload(uploadFileOf(file), options)
          told.add(uploadId)
          yield this.#created(uploadId, image)
        }
        return
      }
      const parts = files.map(uploadFileOf)
      for await (const line of this.#client.uploads.uploadBatch(parts, options)) {
        const uploadId = line.upload_id ?? files[line.index]?.uploadId
        if (uploadId === undefined) continue
        told.add(uploadId)
        if (line.image) yield this.#created(uploadId, line.image)
        else yield refused(uploadId, line.refusal ?? { code: '' })
      }
      if (told.size < files.length) throw new ConnectionError('upload')
    } catch (error) {
      if (isRefused(error, ...WAITING) || !(error instanceof RefusedError)) throw error
      for (const { uploadId } of files) {
        if (!told.has(uploadId)) yield refused(uploadId, error)
      }
    }
  }

  /** Refetches images and boards after an upload, throttled while more uploads finish. */
  showSoon(): void {
    const waitMs = Math.max(FIRST_MS, this.#refreshedAt + APART_MS - this.#clock.elapsed())
    this.#timer.start(waitMs, () => this.#show())
  }

  /** Refetches images and boards at once after the last upload. */
  showNow(): void {
    if (this.#timer.isActive) this.#show()
  }

  readonly #created = (uploadId: string, image: ImageRecord): UploadOutcome => ({
    uploadId,
    image,
    thumbnailUrl: this.#client.images.thumbnailUrl(image),
  })

  #show(): void {
    this.#timer.stop()
    this.#refreshedAt = this.#clock.elapsed()
    this.#tabs.notify()
    for (const queryKey of [imageKeys.all(), boardKeys.all()]) this.#refresh.askAgain({ queryKey })
  }
}

const canPass = (code: string): boolean => (PASSING as readonly string[]).includes(code)

const uploadFileOf = ({ uploadId, file, keepsBoth }: OutgoingFile) => ({
  bytes: file,
  fileName: file.name,
  uploadId,
  knownBytes: keepsBoth ? ('keep' as const) : ('refuse' as const),
  takenAt: timestampOf(file.lastModified),
})

/** Formats a timestamp of the API: `2026-11-21 07:32:39.125`, in UTC. */
const timestampOf = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 23).replace('T', ' ')

const refused = (uploadId: string, refusal: RefusalOfFile): UploadOutcome => {
  const { code, detail = 'The server rejected the file.', same_image: sameImage = null } = refusal
  if (code === 'already_here') return { uploadId, known: detail, sameImage }
  const reason = code === 'board_not_found' ? 'The board no longer exists.' : detail
  return { uploadId, reason, canRetry: canPass(code) }
}
