import type { Shift } from '#gallery/api/answer/image-shift.ts'
import {
  type GridLayout,
  type Lead,
  leadFor,
  NO_LEAD,
  topOfLead,
  withLead,
} from '#gallery/images/grid/grid-layout.ts'
import { columnOf, topOfPosition } from '#gallery/images/grid/grid-rows.ts'

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
