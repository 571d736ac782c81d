import type { Outcome } from './outbox-open-steps.ts'
import type { Aspect, Value } from './outbox-state.ts'

/** What a step did or was to do. */
export interface StepAction {
  readonly aspect: Aspect
  readonly wanted: Value
  /** Images or boards. */
  readonly count: number
  /** The board that images go to, or the board that is changed. */
  readonly boardName?: string | undefined
  /** Images on the board that is changed. */
  readonly imageCount?: number | undefined
}

/** What a person is told about a step. */
export type OutboxEvent =
  /** It is done as far as the page goes. */
  | { readonly kind: 'taken'; readonly action: StepAction; readonly undo: () => void }
  /** A part is done; `doneCount` counts the images so far. Also told before the first part. `taken` follows the last. */
  | {
      readonly kind: 'in parts'
      readonly action: StepAction
      readonly doneCount: number
      readonly undo: () => void
    }
  /** There was nothing to do. */
  | { readonly kind: 'nothing'; readonly action: StepAction }
  /** It is taken back; images that are coming back are seen when the server has them there. */
  | { readonly kind: 'undone'; readonly action: StepAction; readonly isComing?: boolean }
  /** It is taken back in parts: `doneCount` of `count` images are as they were. Told in place of `undone`. */
  | {
      readonly kind: 'coming back'
      readonly action: StepAction
      readonly doneCount: number
      readonly count: number
      readonly isOver: boolean
    }
  /** The time for Undo is over. */
  | { readonly kind: 'final'; readonly action: StepAction }
  | {
      readonly kind: 'refused'
      readonly action: StepAction
      readonly failed: Outcome['failed']
      /** Images that parts before the refused one have moved. They stay there. */
      readonly doneCount: number
      readonly retry: () => void
    }
  /** The server did not say which images are meant: none of it was done. */
  | {
      readonly kind: 'unnamed'
      readonly action: StepAction
      readonly reason: string
      readonly retry: () => void
    }

const listeners = new Set<(news: OutboxEvent) => void>()

/** Calls back for each step that a person should hear of. Returns what ends that. */
export function onOutboxEvent(listener: (news: OutboxEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function emitOutboxEvent(news: OutboxEvent): void {
  for (const listener of listeners) listener(news)
}
