/** What a person gave the queue to do, for words about it. */
export interface WorkAction {
  readonly kind: 'copy' | 'process'
  /** Images that go in. */
  readonly count: number
  /** Images that were to go in and are not there any more. Absent: none. */
  readonly missing?: number
  /** Where what comes out goes. */
  readonly boardName: string
}

/** What becomes of it. A action is told of by the same object every time. */
export type WorkEvent =
  | { readonly kind: 'taken'; readonly action: WorkAction; readonly undo: () => void }
  /** The server copies images itself, without the queue; `done` of them are processed. */
  | {
      readonly kind: 'copying'
      readonly action: WorkAction
      readonly done: number
      readonly cancel: () => void
    }
  | {
      readonly kind: 'copied'
      readonly action: WorkAction
      readonly copiedCount: number
      readonly undo: () => void
    }
  | ({ readonly kind: 'refused' | 'not undone'; readonly action: WorkAction } & Failure)
  | { readonly kind: 'undone'; readonly action: WorkAction; readonly imageCount: number }

interface Failure {
  readonly reason: string
  readonly retry: () => void
}

type Listener = (news: WorkEvent) => void

const listeners = new Set<Listener>()

export const emitWorkEvent = (news: WorkEvent): void => {
  for (const listener of listeners) listener(news)
}

/** Calls back when the queue was given something to do, or was not. Returns what ends that. */
export function onWorkEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
