import type { ImageRecord } from '#contract/image.ts'

export interface UploadTarget {
  /** Id of the board; null for uncategorized. */
  readonly boardId: string | null
  /** Display name: the board's name, or Assets. */
  readonly label: string
}

/**
 * Status of an upload. `waiting`: not in a request yet. `sending`: bytes are being sent. `processing`: sent,
 * but not confirmed by the server. `known`: the gallery has the same bytes already, and the user decides.
 */
export type UploadStatus =
  | 'waiting'
  | 'sending'
  | 'processing'
  | 'done'
  | 'known'
  | 'failed'
  | 'cancelled'

export interface Upload {
  /** Idempotency key, so that a retry or a reload never creates a second image. */
  readonly uploadId: string
  readonly fileName: string
  /** Path of its folder, such as `Holiday/Day 1`. Empty for single files. */
  readonly folder: string
  readonly bytes: number
  /** Date of the file in milliseconds since 1970, to know it again after a reload. */
  readonly modifiedAt: number | null
  readonly target: UploadTarget
  readonly status: UploadStatus
  readonly sentBytes: number
  /** True if the server keeps the bytes of an interrupted request, so that the upload goes on after them. */
  readonly isResumable: boolean
  /** Those of the sent bytes that this page did not send: the server had them already. */
  readonly foundBytes: number
  /** True if the file was too large to survive a reload. The user can add it again. */
  readonly isFileLost: boolean
  /** Number of requests with this file that were interrupted. */
  readonly interruptions: number
  /** True saves a second image if the gallery has the same bytes. */
  readonly keepsBoth: boolean
  /** User-readable reason of a failure, or location of the image with the same bytes. */
  readonly reason: string | null
  readonly canRetry: boolean
  readonly imageName: string | null
  readonly thumbnailUrl: string | null
  /** The image with the same bytes, if `status` is `known` and the server reports it. */
  readonly sameImage: SameImage | null
}

/** An existing image with the bytes of an upload. */
export type SameImage = Pick<ImageRecord, 'image_name' | 'board_id'>

/** Returns true if the image with the same bytes is on another board and can be moved to the target. */
export const canMoveHere = ({ status, sameImage, target }: Upload): boolean =>
  // Uploads stored by an older version have no `sameImage`.
  status === 'known' && (sameImage ?? null) !== null && sameImage?.board_id !== target.boardId

export interface NewFile {
  readonly fileName: string
  readonly folder: string
  readonly bytes: number
  /** Undefined if it could not be opened. */
  readonly file?: File
  readonly fault?: string
}

export const newUpload = (
  uploadId: string,
  file: Pick<Upload, 'fileName' | 'folder' | 'bytes'> & { modifiedAt?: number | null },
  target: UploadTarget,
): Upload => ({
  uploadId,
  modifiedAt: null,
  ...file,
  target,
  status: 'waiting',
  sentBytes: 0,
  isResumable: false,
  foundBytes: 0,
  isFileLost: false,
  interruptions: 0,
  keepsBoth: false,
  reason: null,
  canRetry: true,
  imageName: null,
  thumbnailUrl: null,
  sameImage: null,
})

/** Returns true if the upload is part of a current request. */
export const isActive = ({ status }: Upload): boolean =>
  status === 'sending' || status === 'processing'

export const isUnfinished = (upload: Upload): boolean =>
  upload.status === 'waiting' || isActive(upload)

/** True if the upload is unfinished or waits for the user's decision. A reload restores such uploads. */
export const isPending = (upload: Upload): boolean =>
  isUnfinished(upload) || upload.status === 'known'
