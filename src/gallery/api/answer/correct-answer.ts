import type { ImageRecord } from '#contract/image.ts'
import {
  type ImageView,
  type ImageWindow,
  lengthOfWindow,
  type RecordChange,
  WINDOW_SIZE,
  withChanged,
} from '#gallery/api/images/image-windows.ts'
import { isNewestFirst, isOf, withNewImages } from './new-image-windows.ts'
import type { RemovalPositions } from './removal-positions.ts'

export interface WindowAnswer {
  readonly view: ImageView
  readonly index: number
  /** The records by their position on the server. */
  readonly records: ReadonlyMap<number, ImageRecord>
  /** Images in the view, with those that have a pending removal. */
  readonly total: number
}

/** A change of image records that the server has not confirmed. */
export interface PendingChange {
  readonly names: ReadonlySet<string>
  readonly change: RecordChange
}

/** The changes that the page shows and the answer may not contain. */
export interface Corrections {
  /** The positions of images with a pending removal from the view. */
  readonly removals: RemovalPositions
  readonly changes: Iterable<PendingChange>
  /** New images of the view since the request was sent, with their pending changes. */
  readonly newImages: readonly ImageRecord[]
}

/**
 * Corrects an answer, which may be older than what the page shows. An uncorrected answer would revert an optimistic
 * update, or remove a new image until the next answer. The steps, in their order:
 *
 * 1. Images with a pending removal are left out, and later images take their places (`RemovalPositions`).
 * 2. Pending changes of records, such as a star, are applied (`PendingImages`).
 * 3. Images that were added after the request are inserted (`withNewImages`).
 * 4. Windows are shown together once they are from the same moment (`agreeOnWindows`, when the grid renders).
 * 5. The grid scrolls by the shift of the visible images, so that they keep their place on the screen (`shiftOf`).
 *
 * This function does steps 1 to 3. Steps 4 and 5 depend on what is on the screen. The lists of boards and of the trash
 * need only one step: `PendingEdits`.
 */
export function correctAnswer(answer: WindowAnswer, corrections: Corrections): ImageWindow {
  const { view, index } = answer
  const { removals, changes, newImages } = corrections
  const withoutRemovals = leaveOutRemovals(answer, removals)
  const changed = applyChanges(withoutRemovals, changes)
  return index === 0 ? insertNewImages(view, changed, newImages) : changed
}

export const positionsOfWindow = (index: number): number[] =>
  Array.from({ length: WINDOW_SIZE }, (_, at) => index * WINDOW_SIZE + at)

/** Builds a window from the records that follow the removed ones on the server. */
function leaveOutRemovals(
  { index, records, total }: WindowAnswer,
  removals: RemovalPositions,
): ImageWindow {
  const shownTotal = Math.max(0, total - removals.size)
  const items = removals
    .onServer(positionsOfWindow(index))
    .slice(0, lengthOfWindow(index, shownTotal))
    .map((at) => records.get(at))
  return { items, total: shownTotal }
}

const applyChanges = (window: ImageWindow, changes: Iterable<PendingChange>): ImageWindow =>
  [...changes].reduce((last, { names, change }) => withChanged(last, names, change), window)

function insertNewImages(
  view: ImageView,
  window: ImageWindow,
  newImages: readonly ImageRecord[],
): ImageWindow {
  const own = newImages.filter((record) => isOf(view, record))
  if (own.length === 0 || !isNewestFirst(view)) return window
  return withNewImages(view, new Map([[0, window]]), own)?.get(0) ?? window
}
