import type { GridLayout } from './grid-layout.ts'
import { columnOf, contentOfRow, positionIn, rowAt, rowOf, topOfRow } from './grid-rows.ts'

/** Keys that move the focus from image to image. */
export type StepKey =
  | 'ArrowLeft'
  | 'ArrowRight'
  | 'ArrowUp'
  | 'ArrowDown'
  | 'PageUp'
  | 'PageDown'
  | 'Home'
  | 'End'

/** Whether a key keeps to its column. */
export const isVertical = (key: StepKey): boolean =>
  key === 'ArrowUp' || key === 'ArrowDown' || key === 'PageUp' || key === 'PageDown'

interface StepOptions {
  readonly layout: GridLayout
  /** What `PageUp` and `PageDown` move by, in pixels: at least a row. */
  readonly pagePx: number
  /** The first image on the screen. */
  readonly first: number
  /** Where to go along vertically, where that is not the image's own: short rows are passed in it. */
  readonly column?: number | undefined
}

/**
 * Where a key leads, by position. Headings are passed over.
 *
 * @param from - `null` where nothing has the focus yet: then any key but `End` goes to the first on the screen.
 */
export function stepFrom(from: number | null, key: StepKey, options: StepOptions): number {
  const { layout, first } = options
  const last = layout.total - 1
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (from === null) return Math.min(first, last)
  if (key === 'ArrowLeft') return Math.max(0, from - 1)
  if (key === 'ArrowRight') return Math.min(last, from + 1)
  const { column = columnOf(layout, from) } = options
  return positionIn(layout, targetRow(rowOf(layout, from), key, options), column)
}

/** The row of images that is the next one, or the one a screen on. */
function targetRow(row: number, key: StepKey, { layout, pagePx }: StepOptions): number {
  const isDown = key === 'ArrowDown' || key === 'PageDown'
  const isPage = key === 'PageDown' || key === 'PageUp'
  const along = isDown ? 1 : -1
  const next = isPage ? rowAt(layout, topOfRow(layout, row) + along * pagePx) : row + along
  const isHeading = (at: number) => !('from' in contentOfRow(layout, at))
  const target = next >= 0 && isHeading(next) ? next + along : next
  if (target < 0) return isHeading(0) ? 1 : 0
  if (target >= layout.rowCount) return row
  // A screen may begin with the heading that is just above where the focus was.
  return isDown ? Math.max(target, row) : Math.min(target, row)
}
