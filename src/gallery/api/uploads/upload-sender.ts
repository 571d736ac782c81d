import { ConnectionError, isRefused, type RefusedCode, RefusedError } from '#client/errors.ts'
import { imageOfVideo } from '#client/images/image-records.ts'
import type { UploadOptions } from '#client/images/upload-options.ts'
import type { TesseraClient } from '#client/index.ts'
import type { UploadProgress } from '#client/transport/call.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { ServerCapabilities } from '#gallery/api/connection/capabilities.ts'
import type { UploadOutcome } from './reduce-uploads.ts'

export interface OutgoingFile {
  readonly uploadId: string
  readonly file: File
  /** True to create a second image if the library already has the same bytes. */
  readonly keepsBoth: boolean
}

interface SendOptions {
  /** `null`: on no board. */
  readonly boardId: string | null
  readonly signal: AbortSignal
  readonly onProgress: (progress: UploadProgress) => void
  /** Called if the server keeps the bytes of an interrupted upload, with those that it has already. */
  readonly onFound: (arrivedBytes: number) => void
}

/**
 * Larger files are sent alone, so that they go on after a break. Sending this much again takes seconds. It is half of the
 * usual request, so that the requests of smaller files stay well filled.
 */
export const RESUMABLE_FROM_BYTES = 32_000_000

/** Loaded with the first large file. */
const loadResumable = () => import('#client/images/resumable-upload.ts')

/** True if a file of this size goes on after a break. */
export const isResumable = ({ capabilities }: Pick<SenderApi, 'capabilities'>, bytes: number) =>
  bytes > RESUMABLE_FROM_BYTES && capabilities.has('resumable_uploads')

/** Deletes the bytes that the server keeps of an upload. If it fails, the server deletes them a day later. */
export const discardBytes = async ({ client }: SenderApi, uploadId: string): Promise<void> => {
  try {
    const { discardResumable } = await loadResumable()
    await discardResumable(client.uploads, uploadId, { priority: 'background' })
  } catch {
    // The server does not answer, or it is not a Tessera.
  }
}

/** Temporary refusals, which do not depend on the file. The user sends it again. */
const TEMPORARY: readonly string[] = [
  'board_not_found',
  'disk_full',
  'library_read_only',
  'proxy_too_large',
  'rate_limited',
  'unauthorized',
  'unexpected',
  'upload_cut_off',
  'upstream_timeout',
] satisfies RefusedCode[]

/**
 * Refusals after which files are sent again automatically: the user is signed out, or the server or something behind
 * it is away for a moment.
 */
const RETRIED = [
  'busy',
  'database_down',
  'disk_error',
  'library_away',
  'login_required',
  'stopping',
  'upload_in_use',
  'upload_not_found',
  'uploads_full',
  'upstream_busy',
  'upstream_down',
  'wrong_offset',
] as const satisfies RefusalCode[]

/** A proxy answers these when the process that it chose died or is away. */
const PROXY_STATUSES = [502, 503, 504]

/** The parts of the data layer that sending files needs. */
export interface SenderApi {
  readonly client: {
    readonly server: Pick<TesseraClient['server'], 'known'>
    readonly uploads: TesseraClient['uploads']
    readonly videos: Pick<TesseraClient['videos'], 'upload'>
    readonly images: Pick<TesseraClient['images'], 'thumbnailUrl'>
  }
  readonly capabilities: Pick<ServerCapabilities, 'has'>
}

/** Returns the limits of upload requests. Files beyond `maxBytes` or in unknown formats need not be sent. */
export function uploadLimits({ client, capabilities }: SenderApi) {
  const limits = client.server.known?.limits
  const isBatch = capabilities.has('batch_upload')
  return {
    maxFilesPerRequest: isBatch ? (limits?.max_files_per_batch ?? 1) : 1,
    maxBytes: isBatch ? (limits?.max_upload_bytes ?? null) : null,
    maxVideoBytes: limits?.max_video_bytes ?? null,
    onlyKnownFormats: isBatch,
  }
}

/**
 * Sends files in one request and yields the result of each as soon as it is known.
 *
 * @throws {ConnectionError | RefusedError} The connection was lost, the server accepts no uploads for now, or a proxy
 *   accepts only smaller requests. Files without a result must be sent again with the same ID.
 */
export async function* sendUploads(
  { client, capabilities }: SenderApi,
  files: readonly OutgoingFile[],
  sendOptions: SendOptions,
): AsyncGenerator<UploadOutcome> {
  const { onFound, ...rest } = sendOptions
  const options: UploadOptions = { ...rest, priority: 'background' }
  const settled = new Set<string>()
  let retried: RefusedError | null = null
  const created = (uploadId: string, image: ImageRecord): UploadOutcome => {
    settled.add(uploadId)
    return { type: 'completed', uploadId, image, thumbnailUrl: client.images.thumbnailUrl(image) }
  }
  try {
    if (!capabilities.has('batch_upload')) {
      for (const file of files) {
        const upload = uploadFileOf(file)
        const image = isVideo(file.file)
          ? imageOfVideo(await client.videos.upload(upload, options))
          : await client.uploads.upload(upload, options)
        yield created(file.uploadId, image)
      }
      return
    }
    const [large] = files
    if (large && files.length === 1 && isResumable({ capabilities }, large.file.size)) {
      const { uploadResumable } = await loadResumable()
      const upload = uploadFileOf(large)
      yield created(
        large.uploadId,
        await uploadResumable(client.uploads, upload, { ...options, onFound }),
      )
      return
    }
    for await (const line of client.uploads.uploadBatch(files.map(uploadFileOf), options)) {
      const uploadId = line.upload_id ?? files[line.index]?.uploadId
      if (uploadId === undefined) continue
      const code = RETRIED.find((one) => one === line.refusal?.code)
      if (line.refusal && code !== undefined) {
        retried ??= new RefusedError({ ...line.refusal, code, url: 'upload' })
        continue
      }
      settled.add(uploadId)
      if (line.image) yield created(uploadId, line.image)
      else yield refused(uploadId, line.refusal ?? { code: '' })
    }
    if (settled.size < files.length) throw retried ?? new ConnectionError('upload')
  } catch (error) {
    if (isRefused(error, ...RETRIED) || !(error instanceof RefusedError)) throw error
    // The proxy refused the sum. Some files may pass in smaller requests.
    if (error.code === 'proxy_too_large' && files.length > 1) throw error
    // Only an upload with an ID can be repeated without creating a second image.
    if (capabilities.has('batch_upload') && PROXY_STATUSES.includes(error.status)) throw error
    for (const { uploadId } of files)
      if (!settled.has(uploadId)) yield refused(uploadId, refusalOf(error))
  }
}

const refusalOf = ({ code, detail, sameImage }: RefusedError) => ({
  code,
  detail,
  ...(sameImage && { same_image: sameImage }),
})

/** InvokeAI has a route for each kind. */
const isVideo = ({ name, type }: File): boolean => type.startsWith('video/') || isVideoName(name)

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

function refused(
  uploadId: string,
  refusal: { code: string; detail?: string; same_image?: ImageRecord },
): UploadOutcome {
  const { code, detail = 'The server rejected the file.', same_image: sameImage = null } = refusal
  if (code === 'already_here') return { type: 'known', uploadId, reason: detail, sameImage }
  const reason = code === 'board_not_found' ? 'The board no longer exists.' : detail
  return { type: 'refused', uploadId, reason, canRetry: TEMPORARY.includes(code) }
}
