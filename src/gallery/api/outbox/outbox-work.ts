import type { Aspect, Entry, Request, Value } from './outbox-state.ts'

/** What the server said to a request: why it refused which targets. All others are done. */
export type Refusals = ReadonlyMap<string, string>

/** Callbacks for a change that is sent as several requests. */
export interface Parts {
  /** Whether to send the next part. False after Undo or Cancel. */
  isWanted(): boolean
  /** Called after each part but the last, with the number of its images. */
  onPart(imageCount: number): void
}

/** What the worker needs from outside, so that tests can stand in for it. */
export interface OutboxWork {
  /** @throws {NoAnswerError} Whether it was done is not known. */
  send(request: Request, parts: Parts): Promise<Refusals>
  /** When such a request may go, in milliseconds since 1970; Infinity where an answer must come first. */
  freeAt(request: Request): number
  /** Targets in one request. Of a change of very many targets, with their number, it may be more. */
  maxTargets(aspect: Aspect, count?: number): number
  /** What the server has of targets whose state the page does not know. */
  lookUp(aspect: Aspect, targets: readonly string[]): Promise<ReadonlyMap<string, Value>>
  /** Keeps what is not confirmed, for after a reload. */
  keep(entries: readonly Entry[]): void
  now(): number
  sleep(ms: number): Promise<void>
}

/** The request may be sent again: nothing is known of what it did. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

/** What a page shows of the outbox. A new object at every change. */
export interface OutboxState {
  /** Steps that the server has not confirmed; those that are held back do not count. */
  readonly steps: number
  /** When the next request goes, in milliseconds since 1970; null when it need not wait. */
  readonly nextAt: number | null
  /** Requests in a row that got no answer. */
  readonly failures: number
}
