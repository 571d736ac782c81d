import { ConnectionError, isRefused, RefusedError } from '#client/errors.ts'
import type { UploadProgress } from '#client/transport/call.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { boardQueries } from '#gallery/api/boards/board-queries.ts'
import { notifyOtherTabs } from '#gallery/api/connection/broadcast.ts'
import { hasExtension } from '#gallery/api/connection/capabilities.ts'
import { gallery } from '#gallery/api/connection/connection.ts'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import { askAgain } from './after-changes.ts'

/** One file on its way to the server. */
export interface OutgoingFile {
  readonly uploadId: string
  readonly file: File
  /** A second image is wanted where the same bytes are there already. */
  readonly keepsBoth: boolean
}

/** What became of one file. */
export type UploadOutcome = { readonly uploadId: string } & (
  | { readonly image: ImageRecord; readonly thumbnailUrl: string }
  | { readonly reason: string; readonly canRetry: boolean }
  /** The same bytes are there already: where, and as which image, if the server says so. */
  | { readonly known: string; readonly sameImage: ImageRecord | null }
)

interface SendOptions {
  /** `null`: on no board. */
  readonly boardId: string | null
  readonly signal: AbortSignal
  readonly onProgress: (progress: UploadProgress) => void
}

/** Refusals that say something about the moment and nothing about the file. */
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

/** Refusals after which all go again by themselves: nobody is signed in, or the server's server is away. */
const WAITING = ['login_required', 'upstream_busy', 'upstream_down'] as const

const canPass = (code: string): boolean => (PASSING as readonly string[]).includes(code)

/** How many files go into one request, and which of them need not be sent at all. */
export function uploadLimits() {
  const limits = gallery.server.known?.limits
  const isBatch = hasExtension('batch_upload')
  return {
    maxFilesPerRequest: isBatch ? (limits?.max_files_per_batch ?? 1) : 1,
    maxBytes: isBatch ? (limits?.max_upload_bytes ?? null) : null,
    onlyKnownFormats: isBatch,
  }
}

/**
 * Sends files in one request and tells what became of each as soon as it is known. Which files are
 * answered when it throws is what was told until then.
 *
 * @throws {ConnectionError | RefusedError} The line broke, or nobody is let in for now. Files that were not told of go again with the same id.
 */
export async function* sendFiles(
  files: readonly OutgoingFile[],
  { boardId, signal, onProgress }: SendOptions,
): AsyncGenerator<UploadOutcome> {
  const options = { boardId, signal, onProgress, lane: 'background' as const }
  const told = new Set<string>()
  try {
    if (!hasExtension('batch_upload')) {
      for (const file of files) {
        const { uploadId } = file
        const image = await gallery.uploads.upload(uploadFileOf(file), options)
        told.add(uploadId)
        yield kept(uploadId, image)
      }
      return
    }
    const parts = files.map(uploadFileOf)
    for await (const line of gallery.uploads.uploadBatch(parts, options)) {
      const uploadId = line.upload_id ?? files[line.index]?.uploadId
      if (uploadId === undefined) continue
      told.add(uploadId)
      if (line.image) yield kept(uploadId, line.image)
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

const uploadFileOf = ({ uploadId, file, keepsBoth }: OutgoingFile) => ({
  bytes: file,
  fileName: file.name,
  uploadId,
  knownBytes: keepsBoth ? ('keep' as const) : ('refuse' as const),
  takenAt: timestampOf(file.lastModified),
})

/** As times travel: `2026-11-21 07:32:39.125`, UTC. */
const timestampOf = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 23).replace('T', ' ')

const kept = (uploadId: string, image: ImageRecord): UploadOutcome => ({
  uploadId,
  image,
  thumbnailUrl: gallery.images.thumbnailUrl(image),
})

interface RefusalOfFile {
  code: string
  detail?: string
  same_image?: ImageRecord
}

const refused = (uploadId: string, refusal: RefusalOfFile): UploadOutcome => {
  const { code, detail = 'The server rejected the file.', same_image: sameImage = null } = refusal
  if (code === 'already_here') return { uploadId, known: detail, sameImage }
  const reason = code === 'board_not_found' ? 'The board no longer exists.' : detail
  return { uploadId, reason, canRetry: canPass(code) }
}

/** How soon the first of some arrivals is shown, in milliseconds. */
const FIRST_MS = 1000

/** How far apart the next ones are: each time costs a few of the hundred requests of a minute. */
const APART_MS = 4000

let timer: ReturnType<typeof setTimeout> | undefined
let refreshedAt = Number.NEGATIVE_INFINITY

/** Images have just arrived: what is looked at is asked for again, soon at first and then now and then. */
export function showUploadsSoon(): void {
  const waitMs = Math.max(FIRST_MS, refreshedAt + APART_MS - performance.now())
  timer ??= setTimeout(showUploads, waitMs)
}

/** The last of them has arrived: all of it is shown at once. */
export function showUploadsNow(): void {
  if (timer !== undefined) showUploads()
}

function showUploads(): void {
  clearTimeout(timer)
  timer = undefined
  refreshedAt = performance.now()
  notifyOtherTabs()
  for (const queryKey of [imageQueries.all(), boardQueries.all()]) askAgain({ queryKey })
}
