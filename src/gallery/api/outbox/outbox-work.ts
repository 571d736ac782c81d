import { ConnectionError, isRefused, RefusedError } from '#client/index.ts'
import type { Aspect, Entry, Request, Value } from './outbox-state.ts'

/**
 * Images per trash request: about one second of work. The page can thus show progress and cancel soon, and the server
 * can answer other clients in between.
 */
export const IMAGES_PER_PART = 5_000

/** Temporary statuses: the server or a proxy in front of it is busy, starting or stopping. */
const TEMPORARY = [429, 502, 503, 504]

/** True if a request can be sent again: no answer arrived, or the refusal is temporary. */
export const canBeSentAgain = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  isRefused(error, 'login_required') ||
  (error instanceof RefusedError && TEMPORARY.includes(error.status))

/** The reasons for refused targets of a request, by target. All other targets are done. */
export type Refusals = ReadonlyMap<string, string>

/** The images that went with a board to the trash or back, and those that became uncategorized or returned. */
export interface MovedWithBoard {
  readonly trashed: readonly string[]
  readonly kept: readonly string[]
}

/** Image names by the ID of a board. An ID can occur several times. */
export type ImagesByBoard = readonly (readonly [boardId: string, imageNames: readonly string[]])[]

export interface Parts {
  /** Returns true if the next part is to be sent. False after Undo or Cancel. */
  isWanted(): boolean
  /** Called after each part except the last, with the number of its images. */
  onPart(imageCount: number): void
  /**
   * Called with the images that left a deleted board, or returned to a restored one, and with duplicates that went to the
   * trash.
   */
  onBoardImages(images: MovedWithBoard): void
  /** Called with restored images, by the board to which the server returned them. */
  onRestored(boards: ImagesByBoard): void
}

/** The dependencies of the worker, which tests replace. */
export interface OutboxWork {
  /** @throws {NoAnswerError} The server may or may not have applied the request. */
  send(request: Request, parts: Parts): Promise<Refusals>
  /** Returns when the request may be sent, in milliseconds since 1970; Infinity if that depends on another answer. */
  freeAt(request: Request): number
  /** Returns the maximum number of targets per request. `count` is the size of the change: large changes get more. */
  maxTargets(aspect: Aspect, count?: number): number
  lookUp(aspect: Aspect, targets: readonly string[]): Promise<ReadonlyMap<string, Value>>
  save(entries: readonly Entry[]): void
  now(): number
  sleep(ms: number): Promise<void>
}

/** Thrown if a request got no answer, or a temporary refusal. It is sent again. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

/** The state of the outbox that the page shows. A new object at every change. */
export interface OutboxState {
  /** The number of unconfirmed steps, without those that are delayed for Undo. */
  readonly steps: number
  /** The time of the next request, in milliseconds since 1970; null if it need not wait. */
  readonly nextAt: number | null
  /** Consecutive requests without an answer. */
  readonly failures: number
}
