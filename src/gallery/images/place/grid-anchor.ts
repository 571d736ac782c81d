import type { ImageRecord } from '#contract/image.ts'
import {
  type GridLayout,
  type Lead,
  leadFor,
  NO_LEAD,
  topOfLead,
  withLead,
} from '#gallery/images/grid/grid-layout.ts'
import { columnOf, topOfPosition } from '#gallery/images/grid/grid-rows.ts'

/** An image that is visible on the screen. */
export interface Seen {
  readonly position: number
  readonly imageName: string
  /** `null` if not known, for example after a reload. */
  readonly isStarred: boolean | null
}

/** The old and the new position of an image. */
export interface Shift {
  readonly from: number
  readonly to: number
}

/**
 * Returns how the visible images have moved in the view. Their positions grow when images are inserted above them. The
 * result is the shift of the first visible image that is still known, so that this image keeps its place on the screen.
 * Images whose star has changed are ignored: they may have jumped to the front.
 *
 * @param seen - In screen order.
 * @param known - All loaded records with their positions.
 * @returns `null` if none of the visible images is known.
 */
export function shiftOf(
  seen: readonly Seen[],
  known: Iterable<readonly [position: number, record: ImageRecord]>,
): Shift | null {
  const wanted = new Map(seen.map((image) => [image.imageName, image]))
  let first: Shift | null = null
  for (const [position, record] of known) {
    const before = wanted.get(record.image_name)
    if (!before || (before.isStarred ?? record.starred) !== record.starred) continue
    if (first === null || before.position < first.from) {
      first = { from: before.position, to: position }
    }
  }
  return first
}

/** A layout and the content position at the upper edge of the screen, in pixels. */
export interface ShownLayout {
  readonly layout: GridLayout
  readonly contentTop: number
}

/**
 * Returns the layout and content position that keep a moved image at the same place on the screen. The image also keeps
 * its column, unless the empty cells that this needs would be visible.
 *
 * @param layout - The layout with the image at its new position.
 */
export function keepOnScreen(before: ShownLayout, shift: Shift, layout: GridLayout): ShownLayout {
  const yPx = topOfPosition(before.layout, shift.from) - before.contentTop
  const show = (lead: Lead): ShownLayout => {
    const shown = withLead(layout, lead)
    return { layout: shown, contentTop: topOfPosition(shown, shift.to) - yPx }
  }
  const inColumn = show(leadFor(layout, shift.to, columnOf(before.layout, shift.from)))
  return isLeadSeen(inColumn) ? show(NO_LEAD) : inColumn
}

/** Distance from the upper edge within which a row counts as fully visible, in pixels. */
export const AT_TOP_PX = 8

/** Returns true if the empty cells of the lead are on the screen or further down. */
export const isLeadSeen = ({ layout, contentTop }: ShownLayout): boolean =>
  topOfLead(layout) - layout.geometry.topPx >= contentTop - AT_TOP_PX
