import type { ImageRecord } from '#contract/image.ts'
import {
  type ImageView,
  type ImageWindows,
  recordAt,
  WINDOW_SIZE,
} from '#gallery/api/images/image-windows.ts'
import type { Seen } from '#gallery/images/place/grid-anchor.ts'
import { columnAt } from './grid-geometry.ts'
import { type GridLayout, type Lead, leadFor, NO_LEAD } from './grid-layout.ts'
import {
  positionIn,
  positionsBetween,
  rowAt,
  rowOf,
  scrollTopShowing,
  topOfPosition,
} from './grid-rows.ts'
import type { GridScroller } from './grid-scroller.ts'

/** What a grid shows at this moment, for what happens in events. */
export interface GridNow {
  readonly view: ImageView
  readonly scroller: GridScroller
  readonly layout: GridLayout
  /** Images in the view; what is assumed while that is not known. */
  readonly total: number
  readonly windows: ImageWindows
}

/** An image that is to stay at a height of the viewport while tiles change their size. */
export interface Pivot {
  readonly position: number
  /** Where in its row, from 0 at the top to 1; below 0 in the heading above it. */
  readonly share: number
  /** From the upper edge of the viewport, in pixels. */
  readonly yPx: number
  /** From the left edge, where it is to stay in the column under that point too; else `null`. */
  readonly xPx: number | null
}

/** The record at a position, where it is loaded. */
export const loadedRecord = (now: GridNow, position: number): ImageRecord | undefined =>
  position < 0 ? undefined : recordAt(now.windows, position)

/** The first and the last position that can be seen, at least in part. */
export const seenRange = ({ scroller, layout }: GridNow): { from: number; to: number } =>
  positionsBetween(layout, scroller.contentTop, scroller.contentTop + scroller.viewportPx)

/** Tells if an image is on the screen, at least in part. */
export function isInSight(now: GridNow, position: number): boolean {
  const { from, to } = seenRange(now)
  return position >= from && position <= to
}

/** The first image of some ranges that is on the screen and loaded. */
export function firstInSight(
  now: GridNow,
  ranges: readonly { from: number; to: number }[],
): { imageName: string; position: number } | null {
  const seen = seenRange(now)
  for (let position = seen.from; position <= seen.to; position += 1) {
    const record = loadedRecord(now, position)
    const isTouched = ranges.some(({ from, to }) => position >= from && position <= to)
    if (record && isTouched) return { imageName: record.image_name, position }
  }
  return null
}

/** The images on the screen, as far as they are loaded. */
export function seenImages(now: GridNow): Seen[] {
  const seen: Seen[] = []
  const { from, to } = seenRange(now)
  for (let position = from; position <= to; position += 1) {
    const record = loadedRecord(now, position)
    if (record) {
      seen.push({ position, imageName: record.image_name, isStarred: record.starred })
    }
  }
  return seen
}

/** Every record that is loaded, with its position. */
export function* loadedRecords({ windows }: GridNow): Generator<readonly [number, ImageRecord]> {
  for (const [index, { items }] of windows) {
    for (const [offset, record] of items.entries()) {
      if (record) yield [index * WINDOW_SIZE + offset, record]
    }
  }
}

/** The image at a point of the viewport, or next to it in a gap, to stay there. */
export function pivotAt({ layout, scroller }: GridNow, xPx: number, yPx: number): Pivot {
  const contentPx = scroller.contentTop + yPx
  const row = rowAt(layout, contentPx)
  const position = positionIn(layout, row, columnAt(layout.geometry, xPx))
  const share = (contentPx - topOfPosition(layout, position)) / layout.geometry.rowPx
  return { position, share, yPx, xPx }
}

/** The image at the upper edge, to stay there. */
export function pivotAtTop(now: GridNow): Pivot {
  const { scroller, layout } = now
  const { from } = seenRange(now)
  const hiddenPx = scroller.contentTop - topOfPosition(layout, from)
  return {
    position: from,
    share: Math.max(0, hiddenPx) / layout.geometry.rowPx,
    yPx: Math.max(0, -hiddenPx),
    xPx: null,
  }
}

/** The empty cells with which a pivot is in the column that it is to stay in. */
export const leadOfPivot = (layout: GridLayout, { position, xPx }: Pivot): Lead =>
  xPx === null ? NO_LEAD : leadFor(layout, position, columnAt(layout.geometry, xPx))

/** Where to scroll so that a pivot is where it is to be. */
export const contentTopFor = (layout: GridLayout, { position, share, yPx }: Pivot): number =>
  topOfPosition(layout, position) + share * layout.geometry.rowPx - yPx

/** Scrolls no further than is needed to see all of the row that a position is in. */
export function showPosition({ scroller, layout }: GridNow, position: number): void {
  const viewport = { topPx: scroller.contentTop, heightPx: scroller.viewportPx }
  const top = scrollTopShowing(layout, rowOf(layout, position), viewport)
  if (top !== scroller.contentTop) scroller.scrollTo(top)
}
