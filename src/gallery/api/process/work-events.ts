import type { Noun } from '#gallery/api/images/noun.ts'

/** Queued work, a copy, uploads or an import, as toasts and the history describe it. */
export interface WorkAction {
  readonly kind: 'copy' | 'process' | 'upload' | 'import'
  /** The number of input images, or of imported ones. */
  readonly count: number
  /** The word for these images. Absent: image. */
  readonly noun?: Noun
  /** The number of selected images that no longer exist. Default 0. */
  readonly missing?: number
  /** The target board. Empty for an import, which can have several. */
  readonly boardName: string
}

/** An event of queued work or a copy. All events of one action contain the same `action` object. */
export type WorkEvent = { readonly action: WorkAction } & (
  | { readonly kind: 'taken'; readonly undo: () => void }
  /** The server copies images itself, without the queue; `done` of them are processed. */
  | { readonly kind: 'copying'; readonly done: number; readonly cancel: () => void }
  | { readonly kind: 'copied'; readonly copiedCount: number; readonly undo: () => void }
  | { readonly kind: 'refused'; readonly reason: string; readonly retry: () => void }
  | { readonly kind: 'undone'; readonly imageCount: number }
)
