import type { RefusalCode } from '#contract/refusal.ts'

/** The root of every error that this library throws on purpose. `cause` holds what lay beneath. */
export class GalleryError extends Error {
  override readonly name: string = 'GalleryError'
}

/**
 * Why a server refused. `unexpected` stands for an answer that neither the contract nor InvokeAI
 * gives a reason for, such as a proxy's 502.
 */
export type RefusedCode = RefusalCode | 'unexpected'

/** What an answer said when the server refused. */
export interface RefusedAnswer {
  readonly code: RefusedCode
  readonly status: number
  readonly url: string
  readonly detail: string
  readonly retryAfterMs?: number | undefined
}

/** The server answered, and refused. Nothing was changed. Branch on `code`, never on the words. */
export class RefusedError extends GalleryError {
  override readonly name = 'RefusedError'
  readonly code: RefusedCode
  /** The HTTP status. */
  readonly status: number
  readonly url: string
  /** The server's own words, fit for a person. */
  readonly detail: string
  /** How long the server asks to wait, in milliseconds; absent where it does not say. */
  readonly retryAfterMs?: number

  constructor(answer: RefusedAnswer, options?: ErrorOptions) {
    super(`${answer.url} answered ${answer.status}: ${answer.detail}`, options)
    this.code = answer.code
    this.status = answer.status
    this.url = answer.url
    this.detail = answer.detail
    if (answer.retryAfterMs !== undefined) this.retryAfterMs = answer.retryAfterMs
  }
}

/** No whole answer arrived. What was asked for may or may not have happened. */
export class ConnectionError extends GalleryError {
  override readonly name = 'ConnectionError'
  readonly url: string

  constructor(url: string, options?: ErrorOptions) {
    super(`No answer from ${url}`, options)
    this.url = url
  }
}

/** The image is not on the board whose handle was asked for it (spec 4.3, `download_image`). Nothing was fetched. */
export class ImageNotOnBoardError extends GalleryError {
  override readonly name = 'ImageNotOnBoardError'
  readonly imageName: string
  readonly boardId: string

  constructor(imageName: string, boardId: string) {
    super(`Image ${imageName} is not on board ${boardId}`)
    this.imageName = imageName
    this.boardId = boardId
  }
}

/** There is no image of this name (spec 7, strict delete). Nothing was deleted. */
export class ImageNotFoundError extends GalleryError {
  override readonly name = 'ImageNotFoundError'
  readonly imageName: string

  constructor(imageName: string, options?: ErrorOptions) {
    super(`There is no image ${imageName}`, options)
    this.imageName = imageName
  }
}

/** The server did not delete the image, and it is still there (spec 7, strict delete). */
export class DeletionFailedError extends GalleryError {
  override readonly name = 'DeletionFailedError'
  readonly imageName: string

  constructor(imageName: string) {
    super(`Image ${imageName} was not deleted and is still there`)
    this.imageName = imageName
  }
}

/** Whether an error is a refusal with one of these codes. */
export const isRefused = (error: unknown, ...codes: RefusedCode[]): error is RefusedError =>
  error instanceof RefusedError && codes.includes(error.code)
