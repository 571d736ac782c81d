import type { ImageRecord } from '#contract/image.ts'
import type { RefusalCode } from '#contract/refusal.ts'

/** Base class of all errors that this library throws on purpose. `cause` holds the underlying error. */
export class GalleryError extends Error {
  override readonly name: string = 'GalleryError'
}

/**
 * Reason of a refusal. `unexpected` means that neither the contract nor InvokeAI defines a reason for the
 * response, such as a proxy's 502. `proxy_too_large` means that a server in front of Tessera limits the size of requests;
 * a smaller one may pass.
 */
export type RefusedCode = RefusalCode | 'unexpected' | 'proxy_too_large'

/** Fields of a response that refuses a request. */
export interface RefusedAnswer {
  readonly code: RefusedCode
  readonly status: number
  readonly url: string
  readonly detail: string
  readonly retryAfterMs?: number | undefined
  readonly sameImage?: ImageRecord | undefined
}

/** Thrown when the server refuses a request. Nothing was changed. Branch on `code`, never on `detail`. */
export class RefusedError extends GalleryError {
  override readonly name = 'RefusedError'
  /** Reason of the refusal; `unexpected` for responses without a known reason. */
  readonly code: RefusedCode
  /** The HTTP status. */
  readonly status: number
  /** Address of the request. */
  readonly url: string
  /** The server's message, suitable for display. */
  readonly detail: string
  /** Milliseconds to wait before the next attempt; absent if the server does not say. */
  readonly retryAfterMs?: number
  /** The image with the same bytes, if the code is `already_here`. */
  readonly sameImage?: ImageRecord

  constructor(answer: RefusedAnswer, options?: ErrorOptions) {
    super(`${answer.url} answered ${answer.status}: ${answer.detail}`, options)
    this.code = answer.code
    this.status = answer.status
    this.url = answer.url
    this.detail = answer.detail
    if (answer.retryAfterMs !== undefined) this.retryAfterMs = answer.retryAfterMs
    if (answer.sameImage !== undefined) this.sameImage = answer.sameImage
  }
}

/** Thrown when no complete response arrives. The server may or may not have executed the request. */
export class ConnectionError extends GalleryError {
  override readonly name = 'ConnectionError'
  /** Address of the request. */
  readonly url: string

  constructor(url: string, options?: ErrorOptions) {
    super(`No answer from ${url}${hintFor(url)}`, options)
    this.url = url
  }
}

/** Browsers do not say whether a request to another origin was refused. */
const hintFor = (url: string): string => {
  const { location } = globalThis
  if (location === undefined || !URL.canParse(url, location.href)) return ''
  const isSameOrigin = new URL(url, location.href).host === location.host
  return isSameOrigin ? '' : `. Was the server started with --allow-origin ${location.origin}?`
}

/** Thrown by `downloadImage` when the image is not on the board of the handle. Nothing was downloaded. */
export class ImageNotOnBoardError extends GalleryError {
  override readonly name = 'ImageNotOnBoardError'
  /** Name of the requested image. */
  readonly imageName: string
  /** Board of the handle; `none` for uncategorized. */
  readonly boardId: string

  constructor(imageName: string, boardId: string) {
    super(`Image ${imageName} is not on board ${boardId}`)
    this.imageName = imageName
    this.boardId = boardId
  }
}

/** Thrown by `deleteImageStrict` when no image has this name. Nothing was deleted. */
export class ImageNotFoundError extends GalleryError {
  override readonly name = 'ImageNotFoundError'
  /** Name of the missing image. */
  readonly imageName: string

  constructor(imageName: string, options?: ErrorOptions) {
    super(`There is no image ${imageName}`, options)
    this.imageName = imageName
  }
}

/** Thrown by `deleteImageStrict` when the image still exists after the request. */
export class DeletionFailedError extends GalleryError {
  override readonly name = 'DeletionFailedError'
  /** Name of the image that still exists. */
  readonly imageName: string

  constructor(imageName: string) {
    super(`Image ${imageName} was not deleted and is still there`)
    this.imageName = imageName
  }
}

/** Returns true if an error is a refusal with one of these codes. */
export const isRefused = (error: unknown, ...codes: RefusedCode[]): error is RefusedError =>
  error instanceof RefusedError && codes.includes(error.code)

/** Resolves to `value` if the server refuses a call with one of these codes or statuses. */
export const orIfRefused = <T, U>(
  call: Promise<T>,
  value: U,
  ...reasons: readonly (RefusedCode | number)[]
): Promise<T | U> =>
  call.catch((error: unknown) => {
    if (!(error instanceof RefusedError)) throw error
    if (reasons.includes(error.code) || reasons.includes(error.status)) return value
    throw error
  })
