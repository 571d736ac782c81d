import type { GridGeometry } from './grid-geometry.ts'
import { JustifiedRows } from './justified-rows.ts'
import type { RatioIndex } from './ratio-index.ts'

/** Height of a day heading with the space around it, in pixels. */
export const HEADING_PX = 48

/** Space below the last row, so that the selection bar never covers it, in pixels. */
export const BOTTOM_PX = 88

/** Key of the only group if images are not grouped. It has no heading. */
export const UNGROUPED = ''

/** Images below one heading: a day, or the starred images at the front. */
export interface Group {
  readonly key: string
  readonly count: number
}

/** Empty cells before the first image of a group. They keep later images in their columns. */
export interface Lead {
  readonly key: string
  readonly cells: number
}

export const NO_LEAD: Lead = { key: UNGROUPED, cells: 0 }

/** Cells for running generations, between a group's empty cells and its first image. */
export interface GenerationBlock {
  readonly key: string
  readonly cells: number
}

export const NO_GENERATIONS: GenerationBlock = { key: UNGROUPED, cells: 0 }

export interface PlacedGroup extends Group {
  /** Position of its first image. */
  readonly from: number
  /** Row of its heading, or its first row of images if it has no heading. */
  readonly firstRow: number
  /** Distance from the top of the content, in pixels. */
  readonly topPx: number
  /** Number of cells before its first image: empty cells, then cells of running generations. */
  readonly lead: number
  /** Number of these cells that belong to running generations. */
  readonly generations: number
  /** Its rows of images below those of generations, in a justified layout; else `null`. */
  readonly justified: JustifiedRows | null
}

/**
 * The place of every image in a view. It is computed only from the group sizes: each group begins a new row, and a
 * heading is a row too. Lookups use binary search over the groups, so the cost depends on the number of groups and not
 * on the number of images.
 */
export interface GridLayout {
  readonly geometry: GridGeometry
  /** In view order. No group is empty: each has an image or a running generation. */
  readonly groups: readonly PlacedGroup[]
  /** The options with which the groups were placed. */
  readonly lead: Lead
  readonly generations: GenerationBlock
  /** The proportions of the images in a justified layout; `null` if all tiles are squares. */
  readonly ratios: RatioIndex | null
  /** 0 if images are not grouped. */
  readonly headingPx: number
  readonly total: number
  /** Number of rows, including headings. */
  readonly rowCount: number
  /** Height of the content, in pixels. */
  readonly heightPx: number
}

export function layoutOf(
  geometry: GridGeometry,
  groups: readonly Group[],
  lead: Lead = NO_LEAD,
  generations: GenerationBlock = NO_GENERATIONS,
  ratios: RatioIndex | null = null,
): GridLayout {
  const { columns, rowPx } = geometry
  const isGrouped = groups.some(({ key }) => key !== UNGROUPED)
  const headingPx = isGrouped ? HEADING_PX : 0
  const placed: PlacedGroup[] = []
  let from = 0
  let firstRow = 0
  // A heading includes the space above it.
  let topPx = isGrouped ? 0 : geometry.topPx
  for (const { key, count } of groups) {
    const made = generations.key === key ? generations.cells : 0
    if (count + made === 0) continue
    const cells = made + (lead.key === key ? lead.cells : 0)
    const justified = ratios && new JustifiedRows(geometry, ratios.segmentsOf(key, from, count))
    placed.push({ key, count, from, firstRow, topPx, lead: cells, generations: made, justified })
    const squareRows = Math.ceil((justified ? cells : count + cells) / columns)
    from += count
    firstRow += squareRows + (justified?.count ?? 0) + (isGrouped ? 1 : 0)
    topPx += squareRows * rowPx + (justified?.heightPx ?? 0) + headingPx
  }
  const heightPx = topPx + BOTTOM_PX
  const rowCount = firstRow
  return {
    ...{ geometry, groups: placed, lead, generations, ratios, headingPx },
    ...{ total: from, rowCount, heightPx },
  }
}

/** Returns a layout of all images in one block without headings. */
export const plainLayoutOf = (
  geometry: GridGeometry,
  total: number,
  lead: Lead = NO_LEAD,
  generations: GenerationBlock = NO_GENERATIONS,
  ratios: RatioIndex | null = null,
): GridLayout => layoutOf(geometry, [{ key: UNGROUPED, count: total }], lead, generations, ratios)

export const isGrouped = ({ headingPx }: GridLayout): boolean => headingPx > 0

/** The group of an empty layout. */
export const NOWHERE: PlacedGroup = {
  key: UNGROUPED,
  count: 0,
  from: 0,
  firstRow: 0,
  topPx: 0,
  lead: 0,
  generations: 0,
  justified: null,
}

/** Returns the index of the last group that begins at or before a value; 0 if there is none. */
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

export const groupOf = (layout: GridLayout, position: number): PlacedGroup =>
  layout.groups[groupIndexBy(layout, position, ({ from }) => from)] ?? NOWHERE

/** Returns the group at a distance from the top. A heading belongs to the group below it. */
export const groupAt = (layout: GridLayout, yPx: number): PlacedGroup =>
  layout.groups[groupIndexBy(layout, yPx, ({ topPx }) => topPx)] ?? NOWHERE

export const groupIndexOfRow = (layout: GridLayout, row: number): number =>
  groupIndexBy(layout, row, ({ firstRow }) => firstRow)

/** Returns the empty cells that place a position in a given column; none in a justified layout, which has no columns. */
export function leadFor(layout: GridLayout, position: number, column: number): Lead {
  if (layout.ratios !== null) return NO_LEAD
  const { columns } = layout.geometry
  const { key, from, generations } = groupOf(layout, position)
  return { key, cells: (((column - position + from - generations) % columns) + columns) % columns }
}

export const withLead = (layout: GridLayout, lead: Lead): GridLayout =>
  lead.key === layout.lead.key && lead.cells === layout.lead.cells
    ? layout
    : layoutOf(layout.geometry, layout.groups, lead, layout.generations, layout.ratios)

/** Returns the top of the row with the empty cells, in pixels; infinite if there are none. */
export function topOfLead(layout: GridLayout): number {
  const group = layout.groups.find(({ lead, generations }) => lead > generations)
  return group ? group.topPx + layout.headingPx : Infinity
}
