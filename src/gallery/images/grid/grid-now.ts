import type { ImageRecord } from '#contract/image.ts'
import type { Seen } from '#gallery/api/answer/image-shift.ts'
import {
  type ImageView,
  type ImageWindows,
  positionsIn,
  recordAt,
  WINDOW_SIZE,
} from '#gallery/api/images/image-windows.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { columnAt } from './grid-geometry.ts'
import { type GridLayout, type Lead, leadFor, NO_LEAD } from './grid-layout.ts'
import {
  heightOfRow,
  positionNear,
  positionsBetween,
  rowAt,
  rowOf,
  scrollTopShowing,
  topOfPosition,
} from './grid-rows.ts'
import type { GridScroller } from './grid-scroller.ts'

/** The current state of the grid, for event handlers. */
export interface GridNow {
  readonly view: ImageView
  /** The word for the images and videos of the view. */
  readonly noun: Noun
  readonly scroller: GridScroller
  readonly layout: GridLayout
  /** Number of images in the view; an estimate until it is known. */
  readonly total: number
  readonly windows: ImageWindows
}

/** An image that keeps its place in the viewport while the tile size changes. */
export interface Pivot {
  readonly position: number
  /** Vertical place in its row, from 0 at the top to 1 at the bottom; below 0 in the heading above the row. */
  readonly share: number
  /** Distance from the upper edge of the viewport, in pixels. */
  readonly yPx: number
  /** Distance from the left edge if the image should also stay in the column at that point; else `null`. */
  readonly xPx: number | null
}

export const loadedRecord = (now: GridNow, position: number): ImageRecord | undefined =>
  position < 0 ? undefined : recordAt(now.windows, position)

/** Returns the first and the last position that are at least partly visible. */
export const seenRange = ({
  scroller,
  layout,
}: Pick<GridNow, 'scroller' | 'layout'>): { from: number; to: number } =>
  positionsBetween(layout, scroller.contentTop, scroller.contentTop + scroller.viewportPx)

/** Returns true if an image is at least partly visible. */
export function isInSight(now: GridNow, position: number): boolean {
  const { from, to } = seenRange(now)
  return position >= from && position <= to
}

/** Returns the first image within the ranges that is visible and loaded. */
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

/** Returns the visible images whose records are loaded. */
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

export const loadedPosition = ({ windows }: GridNow, imageName: string): number | undefined =>
  positionsIn(windows, new Set([imageName]))[0]

/** Yields every loaded record with its position. */
export function* loadedRecords({
  windows,
}: Pick<GridNow, 'windows'>): Generator<readonly [number, ImageRecord]> {
  for (const [index, { items }] of windows) {
    for (const [offset, record] of items.entries()) {
      if (record) yield [index * WINDOW_SIZE + offset, record]
    }
  }
}

/** Returns the pivot for a point of the viewport: the image there, or the nearest one in a gap. */
export function pivotAt({ layout, scroller }: GridNow, xPx: number, yPx: number): Pivot {
  const contentPx = scroller.contentTop + yPx
  const row = rowAt(layout, contentPx)
  const position = positionNear(layout, row, xPx)
  const share = (contentPx - topOfPosition(layout, position)) / rowHeightOf(layout, position)
  return { position, share, yPx, xPx }
}

export function pivotAtTop(now: GridNow): Pivot {
  const { scroller, layout } = now
  const { from } = seenRange(now)
  const hiddenPx = scroller.contentTop - topOfPosition(layout, from)
  return {
    position: from,
    share: Math.max(0, hiddenPx) / rowHeightOf(layout, from),
    yPx: Math.max(0, -hiddenPx),
    xPx: null,
  }
}

/** Returns the empty cells that place a pivot in its column. */
export const leadOfPivot = (layout: GridLayout, { position, xPx }: Pivot): Lead =>
  xPx === null ? NO_LEAD : leadFor(layout, position, columnAt(layout.geometry, xPx))

/** Returns the scroll position that restores a pivot to its place. */
export const contentTopFor = (layout: GridLayout, { position, share, yPx }: Pivot): number =>
  topOfPosition(layout, position) + share * rowHeightOf(layout, position) - yPx

const rowHeightOf = (layout: GridLayout, position: number): number =>
  heightOfRow(layout, rowOf(layout, position))

/** Scrolls by the shortest distance that makes a position's row fully visible. */
export function showPosition({ scroller, layout }: GridNow, position: number): void {
  const viewport = { topPx: scroller.contentTop, heightPx: scroller.viewportPx }
  const top = scrollTopShowing(layout, rowOf(layout, position), viewport)
  if (top !== scroller.contentTop) scroller.scrollTo(top)
}
