export interface WorkAction {
  readonly kind: 'copy' | 'process'
  /** The number of input images. */
  readonly count: number
  /** The number of selected images that no longer exist. Default 0. */
  readonly missing?: number
  /** The target board. */
  readonly boardName: string
}

/** An event of queued work or a copy. All events of one action contain the same `action` object. */
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
