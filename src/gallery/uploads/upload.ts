/** Where files go. */
export interface UploadTarget {
  /** `null`: on no board. */
  readonly boardId: string | null
  /** What people call it: a board's name, or Assets. */
  readonly label: string
}

/**
 * Where an upload stands. `waiting` until its request is made, `sending` while bytes go, `processing`
 * until the server has it on disk. `known`: the same bytes are there already, and a person decides.
 */
export type UploadStatus =
  | 'waiting'
  | 'sending'
  | 'processing'
  | 'done'
  | 'known'
  | 'failed'
  | 'cancelled'

/** One file on its way. */
export interface Upload {
  /** Made here and sent along, so that a retry or a reload never doubles the image. */
  readonly uploadId: string
  readonly fileName: string
  /** The folders it lay in, such as `Holiday/Day 1`. Empty: chosen by itself. */
  readonly folder: string
  readonly bytes: number
  readonly target: UploadTarget
  readonly status: UploadStatus
  readonly sentBytes: number
  /** Requests that broke off while they carried it. */
  readonly interruptions: number
  /** A second image is wanted where the same bytes are there already. */
  readonly keepsBoth: boolean
  /** Why it failed, or where the same bytes are, for people. */
  readonly reason: string | null
  /** Whether sending it once more can help. */
  readonly canRetry: boolean
  /** What it became, when it is done. */
  readonly imageName: string | null
  readonly thumbnailUrl: string | null
  /** The image with the same bytes, if `status` is `known` and the server says which one. */
  readonly sameImage: SameImage | null
}

/** An image that has the bytes of an upload. */
export interface SameImage {
  readonly image_name: string
  readonly board_id: string | null
}

/** Whether the image with the same bytes is elsewhere, so that it can be moved to where the upload goes. */
export const canMoveHere = ({ status, sameImage, target }: Upload): boolean =>
  // Uploads that an older page stored have no `sameImage`.
  status === 'known' && (sameImage ?? null) !== null && sameImage?.board_id !== target.boardId

export const newUpload = (
  uploadId: string,
  file: { fileName: string; folder: string; bytes: number },
  target: UploadTarget,
): Upload => ({
  uploadId,
  ...file,
  target,
  status: 'waiting',
  sentBytes: 0,
  interruptions: 0,
  keepsBoth: false,
  reason: null,
  canRetry: true,
  imageName: null,
  thumbnailUrl: null,
  sameImage: null,
})

/** In a request now. */
export const isActive = ({ status }: Upload): boolean =>
  status === 'sending' || status === 'processing'

/** Not settled yet. */
export const isUnfinished = (upload: Upload): boolean =>
  upload.status === 'waiting' || isActive(upload)

/** Still to be sent, or to be decided about by a person: a reload brings it back. */
export const isPending = (upload: Upload): boolean =>
  isUnfinished(upload) || upload.status === 'known'
