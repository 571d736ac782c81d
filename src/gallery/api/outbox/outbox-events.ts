import type { Noun } from '#gallery/api/images/noun.ts'
import type { Outcome } from './outbox-open-steps.ts'
import type { DuplicatesAspect, StepAspect, Value } from './outbox-state.ts'

/** The description of a user action, for its toast. */
export interface StepAction {
  /**
   * `board_created` is not a change of the outbox, but only its Undo. `trash_restored` consists of several changes. Groups
   * of duplicates are reported here only if they are refused after a reload.
   */
  readonly aspect: StepAspect | DuplicatesAspect | 'board_created' | 'trash_restored'
  readonly wanted: Value
  readonly count: number
  /** The target board of the images, or the changed board. */
  readonly boardName?: string | undefined
  /** The board that all moved images were on, or the earlier name of a renamed board. */
  readonly fromName?: string | undefined
  /** The group of the changed boards. `boardName` is its new name, if it was renamed. */
  readonly group?: string | undefined
  /** The number of images on the changed board. */
  readonly imageCount?: number | undefined
  /** The word for the images of `count`, or for those of `imageCount` if a board changed. Absent: image. */
  readonly noun?: Noun | undefined
  /** The number of images that are left out because their rating is not lower. */
  readonly leftOutCount?: number | undefined
  /** The number of restored boards. */
  readonly boardCount?: number | undefined
}

/** An event of a step, which the page reports to the user. */
export type OutboxEvent = {
  readonly action: StepAction
} /** The page shows the change. For a change in parts: all parts are done. */ & (
  | { readonly kind: 'taken'; readonly undo: () => void }
  /**
   * `doneCount` images are done. Emitted before the first part and after each part except the last. Then `taken`. Emitted
   * for a smaller change when it is listed.
   */
  | {
      readonly kind: 'in parts'
      readonly doneCount: number
      /** True if the list of running changes shows the progress. */
      readonly isListed: boolean
      readonly undo: () => void
    }
  /** All targets already had the wanted value. */
  | { readonly kind: 'nothing' }
  /** The step is undone. With `isComing` the images reappear when the server has restored them. */
  | { readonly kind: 'undone'; readonly isComing?: boolean }
  /** The step is undone in parts: `doneCount` of `count` images are restored. Emitted instead of `undone`. */
  | {
      readonly kind: 'coming back'
      readonly doneCount: number
      readonly count: number
      readonly isOver: boolean
    }
  /** The change was sent and can no longer be undone. */
  | { readonly kind: 'final' }
  | {
      readonly kind: 'refused'
      readonly failed: Outcome['failed']
      /** The names of the boards of a group that were refused. */
      readonly failedBoards?: readonly string[]
      /** Images that were changed by earlier parts. They stay changed. */
      readonly doneCount: number
      /** True if the list of running changes shows the refused images. */
      readonly isListed: boolean
      readonly retry: () => void
    }
  /** The image names could not be loaded. Nothing was changed. */
  | { readonly kind: 'unnamed'; readonly reason: string; readonly retry: () => void }
)
