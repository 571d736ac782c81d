import type { GridGeometry } from './grid-geometry.ts'

/** The height of a heading with the space around it, in pixels. */
export const HEADING_PX = 48

/** Below the last row, so that the selection bar never covers it. */
export const BOTTOM_PX = 88

/** The key of the one group where images are not grouped. It has no heading. */
export const UNGROUPED = ''

/** Images that stand together under a heading: a day, or the starred ones that come first. */
export interface Group {
  readonly key: string
  readonly count: number
}

/** Empty cells before the first image of a group, by which the images after it keep their columns. */
export interface Lead {
  readonly key: string
  readonly cells: number
}

export const NO_LEAD: Lead = { key: UNGROUPED, cells: 0 }

/** Cells before the first image of a group in which images are being made, behind its empty ones. */
export interface Making {
  readonly key: string
  readonly cells: number
}

export const NOTHING_MADE: Making = { key: UNGROUPED, cells: 0 }

/** A group and where it begins. */
export interface PlacedGroup extends Group {
  /** The position of its first image. */
  readonly from: number
  /** Its heading, or its first row of images where there is none. */
  readonly firstRow: number
  /** From the top of everything, in pixels. */
  readonly topPx: number
  /** Cells before its first image: empty ones, then those of images that are being made. */
  readonly lead: number
  /** How many of these are of images that are being made. */
  readonly making: number
}

/**
 * Where every image of a view stands. Made of the counts of its groups alone: each begins a new row, and
 * a heading is a row too. All questions are answered by halving the groups, so a view costs what its
 * groups do, whatever number of images is in them.
 */
export interface GridLayout {
  readonly geometry: GridGeometry
  /** In the order of the view, none of them empty: each has an image, or one that is being made. */
  readonly groups: readonly PlacedGroup[]
  /** What its groups were placed with. */
  readonly lead: Lead
  readonly making: Making
  /** 0 where images are not grouped. */
  readonly headingPx: number
  /** Images in all groups. */
  readonly total: number
  /** Rows of images and headings. */
  readonly rowCount: number
  /** The height of everything, in pixels. */
  readonly heightPx: number
}

export function layoutOf(
  geometry: GridGeometry,
  groups: readonly Group[],
  lead: Lead = NO_LEAD,
  making: Making = NOTHING_MADE,
): GridLayout {
  const { columns, rowPx } = geometry
  const isGrouped = groups.some(({ key }) => key !== UNGROUPED)
  const headingPx = isGrouped ? HEADING_PX : 0
  const placed: PlacedGroup[] = []
  let from = 0
  let firstRow = 0
  // A heading has its own space above it.
  let topPx = isGrouped ? 0 : geometry.topPx
  for (const { key, count } of groups) {
    const made = making.key === key ? making.cells : 0
    if (count + made === 0) continue
    const cells = made + (lead.key === key ? lead.cells : 0)
    placed.push({ key, count, from, firstRow, topPx, lead: cells, making: made })
    const imageRows = Math.ceil((count + cells) / columns)
    from += count
    firstRow += imageRows + (isGrouped ? 1 : 0)
    topPx += imageRows * rowPx + headingPx
  }
  const heightPx = topPx + BOTTOM_PX
  const rowCount = firstRow
  return { geometry, groups: placed, lead, making, headingPx, total: from, rowCount, heightPx }
}

/** All images in one block, without headings. */
export const plainLayoutOf = (
  geometry: GridGeometry,
  total: number,
  lead: Lead = NO_LEAD,
  making: Making = NOTHING_MADE,
): GridLayout => layoutOf(geometry, [{ key: UNGROUPED, count: total }], lead, making)

export const isGrouped = ({ headingPx }: GridLayout): boolean => headingPx > 0

/** Where there is no image at all. */
export const NOWHERE: PlacedGroup = {
  key: UNGROUPED,
  count: 0,
  from: 0,
  firstRow: 0,
  topPx: 0,
  lead: 0,
  making: 0,
}

/** The index of the last group that begins at or before a value, 0 where none does. */
function groupIndexBy(
  { groups }: GridLayout,
  value: number,
  beginOf: (group: PlacedGroup) => number,
): number {
  let low = 0
  let high = groups.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const group = groups[middle]
    if (group && beginOf(group) <= value) low = middle
    else high = middle - 1
  }
  return low
}

/** The group that a position is in. */
export const groupOf = (layout: GridLayout, position: number): PlacedGroup =>
  layout.groups[groupIndexBy(layout, position, ({ from }) => from)] ?? NOWHERE

/** The group at a distance from the top: at a heading the one below it. */
export const groupAt = (layout: GridLayout, yPx: number): PlacedGroup =>
  layout.groups[groupIndexBy(layout, yPx, ({ topPx }) => topPx)] ?? NOWHERE

/** Which group a row is in, by its place among them. */
export const groupIndexOfRow = (layout: GridLayout, row: number): number =>
  groupIndexBy(layout, row, ({ firstRow }) => firstRow)

/** The lead with which a position stands in a column. */
export function leadFor(layout: GridLayout, position: number, column: number): Lead {
  const { columns } = layout.geometry
  const { key, from, making } = groupOf(layout, position)
  return { key, cells: (((column - position + from - making) % columns) + columns) % columns }
}

export const withLead = (layout: GridLayout, lead: Lead): GridLayout =>
  layoutOf(layout.geometry, layout.groups, lead, layout.making)

/** Where the row with the empty cells begins, in pixels; infinite where there are none. */
export function topOfLead(layout: GridLayout): number {
  const group = layout.groups.find(({ lead, making }) => lead > making)
  return group ? group.topPx + layout.headingPx : Infinity
}
