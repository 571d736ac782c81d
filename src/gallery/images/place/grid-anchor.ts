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

/** An image as it stood on the screen. */
export interface Seen {
  readonly position: number
  readonly imageName: string
  /** `null` where that is not known, as after a reload. */
  readonly isStarred: boolean | null
}

/** Where an image stood and where it stands now, by position. */
export interface Shift {
  readonly from: number
  readonly to: number
}

/**
 * How the images that a person looks at have moved in the view: up in numbers when others came in above
 * them. Found by the first of them that is still known, so that it stays where it was. One whose star
 * has changed may have jumped to the front and says nothing about the rest.
 *
 * @param seen - In the order of the screen.
 * @param known - Every record that is known now, with its position.
 * @returns `null` when none of them is known any more.
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

/** A layout and the place in it at the upper edge of the screen, in pixels. */
export interface ShownLayout {
  readonly layout: GridLayout
  readonly contentTop: number
}

/**
 * What to show so that an image that has moved in the view stays where it is on the screen, in its column
 * too as far as the cells that this leaves empty are out of sight above.
 *
 * @param layout - The one with the image at its new position.
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

/** Closer to the upper edge than this a row counts as seen from its beginning, in pixels. */
export const AT_TOP_PX = 8

/** Whether the cells that a lead leaves empty can be seen, or are still to come further down. */
export const isLeadSeen = ({ layout, contentTop }: ShownLayout): boolean =>
  topOfLead(layout) - layout.geometry.topPx >= contentTop - AT_TOP_PX
