import type { ImageRecord } from '#contract/image.ts'
import {
  isActive,
  isPending,
  isUnfinished,
  type SameImage,
  type Upload,
  type UploadTarget,
} from './upload.ts'

/** The result of one file in a request. */
export type UploadOutcome =
  | { type: 'completed'; uploadId: string; image: ImageRecord; thumbnailUrl: string | null }
  | { type: 'refused'; uploadId: string; reason: string; canRetry: boolean }
  /** The library already has the same bytes. `reason` says where, and `sameImage` is that image if known. */
  | { type: 'known'; uploadId: string; reason: string; sameImage: SameImage | null }

export type UploadEvent =
  | UploadOutcome
  | { type: 'added'; uploads: readonly Upload[] }
  | { type: 'started'; uploadIds: readonly string[] }
  /** `uploadIds` is in the order of the files in the request. */
  | { type: 'progressed'; uploadIds: readonly string[]; sentBytes: number }
  /** The server has these bytes of a file already, and keeps those that follow. */
  | { type: 'found'; uploadId: string; bytes: number }
  /** The request ended without a response for these uploads. `hasAdvanced`: the server keeps what it got. */
  | { type: 'interrupted'; uploadIds: readonly string[]; reason: string; hasAdvanced?: boolean }
  /** The client aborted the request; these uploads wait again. */
  | { type: 'put back'; uploadIds: readonly string[] }
  | { type: 'cancelled'; uploadIds: readonly string[] }
  | { type: 'retried'; uploadIds: readonly string[] }
  /** The user added the file of this upload again, perhaps to another place. */
  | { type: 'file found'; uploadId: string; target: UploadTarget }
  /** The user wants second images of these duplicates. */
  | { type: 'doubled'; uploadIds: readonly string[] }
  /** The user does not want these duplicates. */
  | { type: 'skipped'; uploadIds: readonly string[] }
  /** The user clears settled uploads. Duplicates still wait for a decision. */
  | { type: 'cleared' }

/** Number of interrupted requests after which a file fails instead of being retried automatically. */
export const MAX_INTERRUPTIONS = 5

const NOTHING_SENT = { sentBytes: 0, foundBytes: 0, isResumable: false } as const

const WAITING = { ...NOTHING_SENT, status: 'waiting' } as const

/** Returns the bytes that an interrupted request leaves at the server. */
const keptBytesOf = ({ isResumable, sentBytes }: Upload): number => (isResumable ? sentBytes : 0)

const waitingAgain = (upload: Upload): Upload => ({
  ...upload,
  status: 'waiting',
  sentBytes: keptBytesOf(upload),
})

/** Returns the uploads after an event. Unaffected uploads stay the same objects. */
export function reduceUploads(uploads: readonly Upload[], event: UploadEvent): readonly Upload[] {
  switch (event.type) {
    case 'added':
      return [...uploads, ...event.uploads]
    case 'started':
      return changed(uploads, event.uploadIds, (upload) =>
        upload.status === 'waiting'
          ? { ...upload, status: 'sending', sentBytes: keptBytesOf(upload) }
          : upload,
      )
    case 'found':
      return changed(uploads, [event.uploadId], (upload) =>
        isActive(upload)
          ? {
              ...upload,
              isResumable: true,
              sentBytes: event.bytes,
              foundBytes: upload.foundBytes + event.bytes - upload.sentBytes,
            }
          : upload,
      )
    case 'progressed':
      return progressed(uploads, event.uploadIds, event.sentBytes)
    case 'completed':
      return changed(uploads, [event.uploadId], (upload) => ({
        ...upload,
        // Also after a cancel that came too late, because the image exists.
        status: 'done',
        sentBytes: upload.bytes,
        reason: null,
        imageName: event.image.image_name,
        thumbnailUrl: event.thumbnailUrl,
      }))
    case 'refused':
      return changed(uploads, [event.uploadId], (upload) =>
        upload.status === 'cancelled'
          ? upload
          : { ...upload, status: 'failed', reason: event.reason, canRetry: event.canRetry },
      )
    case 'known':
      return changed(uploads, [event.uploadId], (upload) =>
        upload.status === 'cancelled'
          ? upload
          : { ...upload, status: 'known', reason: event.reason, sameImage: sameImageOf(event) },
      )
    case 'interrupted':
      return changed(uploads, event.uploadIds, (upload) => interrupted(upload, event))
    case 'put back':
      return changed(uploads, event.uploadIds, (upload) =>
        isActive(upload) ? waitingAgain(upload) : upload,
      )
    case 'cancelled':
      return changed(uploads, event.uploadIds, (upload) =>
        isUnfinished(upload) ? { ...upload, ...NOTHING_SENT, status: 'cancelled' } : upload,
      )
    case 'retried':
      return changed(uploads, event.uploadIds, (upload) =>
        upload.status === 'cancelled' || (upload.status === 'failed' && upload.canRetry)
          ? { ...upload, ...WAITING, interruptions: 0, reason: null }
          : upload,
      )
    case 'file found':
      return changed(uploads, [event.uploadId], (upload) => ({
        ...upload,
        ...WAITING,
        ...{ target: event.target, isFileLost: false, canRetry: true, reason: null },
      }))
    case 'doubled':
      return changed(uploads, event.uploadIds, (upload) =>
        upload.status === 'known'
          ? { ...upload, ...WAITING, keepsBoth: true, reason: null }
          : upload,
      )
    case 'skipped': {
      const ids = new Set(event.uploadIds)
      return uploads.filter(({ uploadId, status }) => status !== 'known' || !ids.has(uploadId))
    }
    case 'cleared':
      return uploads.filter(isPending)
  }
}

/** Copies only the required fields of the record, because uploads are persisted. */
const sameImageOf = ({ sameImage }: { sameImage: SameImage | null }): SameImage | null =>
  sameImage && { image_name: sameImage.image_name, board_id: sameImage.board_id }

function changed(
  uploads: readonly Upload[],
  uploadIds: readonly string[],
  change: (upload: Upload) => Upload,
): readonly Upload[] {
  const ids = new Set(uploadIds)
  return uploads.map((upload) => (ids.has(upload.uploadId) ? change(upload) : upload))
}

function interrupted(
  upload: Upload,
  { reason, hasAdvanced = false }: { reason: string; hasAdvanced?: boolean },
): Upload {
  if (!isActive(upload)) return upload
  // An upload that goes on each time comes to its end, however often the line breaks.
  const interruptions = hasAdvanced ? 1 : upload.interruptions + 1
  return interruptions < MAX_INTERRUPTIONS
    ? { ...waitingAgain(upload), interruptions }
    : { ...upload, ...NOTHING_SENT, status: 'failed', interruptions, reason, canRetry: true }
}

/** Distributes the sent bytes of a request among its files, in order. */
function progressed(
  uploads: readonly Upload[],
  uploadIds: readonly string[],
  sentBytes: number,
): readonly Upload[] {
  const byId = new Map(uploads.map((upload) => [upload.uploadId, upload]))
  const sentOf = new Map<string, number>()
  let left = sentBytes
  for (const uploadId of uploadIds) {
    const bytes = byId.get(uploadId)?.bytes ?? 0
    sentOf.set(uploadId, Math.min(bytes, left))
    left = Math.max(0, left - bytes)
  }
  return changed(uploads, uploadIds, (upload) => {
    const sent = sentOf.get(upload.uploadId) ?? 0
    if (upload.status !== 'sending' || sent === upload.sentBytes) return upload
    return {
      ...upload,
      sentBytes: sent,
      status: sent === upload.bytes ? 'processing' : 'sending',
    }
  })
}
