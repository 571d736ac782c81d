import type { GridLayout } from './grid-layout.ts'
import { centerOf, contentOfRow, positionNear, rowAt, rowOf, topOfRow } from './grid-rows.ts'

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

/** Returns true if a key stays in its column. */
const isVertical = (key: StepKey): boolean =>
  key === 'ArrowUp' || key === 'ArrowDown' || key === 'PageUp' || key === 'PageDown'

interface StepOptions {
  readonly layout: GridLayout
  /** Distance of `PageUp` and `PageDown`, in pixels; at least one row. */
  readonly pagePx: number
  /** Position of the first visible image. */
  readonly first: number
  /** Preferred horizontal place of vertical steps, if it is not the image's center because a short row was passed. */
  readonly xPx?: number | undefined
}

/** Returns the position that a key moves to, past headings. Without focus (`null`), arrow keys move to `first`. */
export function stepFrom(from: number | null, key: StepKey, options: StepOptions): number {
  const { layout, first } = options
  const last = layout.total - 1
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (from === null) return Math.min(first, last)
  if (key === 'ArrowLeft') return Math.max(0, from - 1)
  if (key === 'ArrowRight') return Math.min(last, from + 1)
  const { xPx = centerOf(layout, from) } = options
  return positionNear(layout, targetRow(rowOf(layout, from), key, options), xPx)
}

/** Returns the next row of images, or the row one screen away. */
function targetRow(row: number, key: StepKey, { layout, pagePx }: StepOptions): number {
  const isDown = key === 'ArrowDown' || key === 'PageDown'
  const isPage = key === 'PageDown' || key === 'PageUp'
  const along = isDown ? 1 : -1
  const next = isPage ? rowAt(layout, topOfRow(layout, row) + along * pagePx) : row + along
  const isHeading = (at: number) => !('from' in contentOfRow(layout, at))
  const target = next >= 0 && isHeading(next) ? next + along : next
  if (target < 0) return isHeading(0) ? 1 : 0
  if (target >= layout.rowCount) return row
  // A screen may begin with the heading directly above the focused row, which must not reverse the direction.
  return isDown ? Math.max(target, row) : Math.min(target, row)
}

/** Remembers the horizontal place at which vertical steps began, so that they return to it after a short row. */
export class ColumnMemory {
  #last: { readonly xPx: number; readonly position: number } | null = null

  /** Returns the result of {@link stepFrom} at the remembered place if the last step ended at `from`. */
  stepFrom(from: number | null, key: StepKey, options: Omit<StepOptions, 'xPx'>): number {
    const xPx = this.#last?.position === from ? this.#last.xPx : undefined
    const position = stepFrom(from, key, { ...options, xPx })
    this.#last =
      isVertical(key) && from !== null
        ? { xPx: xPx ?? centerOf(options.layout, from), position }
        : null
    return position
  }
}
