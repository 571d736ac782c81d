import { columnsTouched, type Rectangle } from './grid-geometry.ts'
import {
  BOTTOM_PX,
  type GridLayout,
  groupAt,
  groupIndexOfRow,
  groupOf,
  isGrouped,
  NOWHERE,
  type PlacedGroup,
} from './grid-layout.ts'

/** The row that a position stands in. */
export function rowOf(layout: GridLayout, position: number): number {
  const { from, firstRow, lead } = groupOf(layout, position)
  const row = Math.floor((position - from + lead) / layout.geometry.columns)
  return firstRow + (isGrouped(layout) ? 1 : 0) + row
}

export function columnOf(layout: GridLayout, position: number): number {
  const { from, lead } = groupOf(layout, position)
  return (position - from + lead) % layout.geometry.columns
}

/** A row's place: in which group, the how-manieth of its rows of images (-1: the heading), and where. */
function placeOfRow(layout: GridLayout, row: number) {
  const groupIndex = groupIndexOfRow(layout, row)
  const group = layout.groups[groupIndex] ?? NOWHERE
  const imageRow = row - group.firstRow - (isGrouped(layout) ? 1 : 0)
  return { groupIndex, group, imageRow }
}

/** Where a row begins, in pixels from the top of everything. */
export function topOfRow(layout: GridLayout, row: number): number {
  const { group, imageRow } = placeOfRow(layout, row)
  if (imageRow < 0) return group.topPx
  return group.topPx + layout.headingPx + imageRow * layout.geometry.rowPx
}

/** Where the row of a position begins, in pixels from the top of everything. */
export const topOfPosition = (layout: GridLayout, position: number): number =>
  topOfRow(layout, rowOf(layout, position))

/** From the top of a row to the top of the next one, in pixels. */
export const heightOfRow = (layout: GridLayout, row: number): number =>
  placeOfRow(layout, row).imageRow < 0 ? layout.headingPx : layout.geometry.rowPx

/** The row at a distance from the top, with the gap below it. */
export function rowAt(layout: GridLayout, yPx: number): number {
  const { firstRow, topPx, count, lead } = groupAt(layout, yPx)
  const { rowPx, columns } = layout.geometry
  const below = yPx - topPx - layout.headingPx
  const heading = isGrouped(layout) ? 1 : 0
  if (below < 0) return firstRow
  const last = Math.max(0, Math.ceil((count + lead) / columns) - 1)
  return firstRow + heading + Math.min(Math.floor(below / rowPx), last)
}

/** What stands in a row. */
export type RowContent =
  | { readonly group: PlacedGroup; readonly headingIndex: number }
  | {
      readonly group: PlacedGroup
      readonly headingIndex?: never
      /** The first position in it and the last, both included; `to < from` where there is none. */
      readonly from: number
      readonly to: number
      /** In which the first one stands. */
      readonly column: number
      /** How many rows of images are above it. */
      readonly imageRowIndex: number
      /** Those that are being made, before the images: the first and the last, and the first one's column. */
      readonly making: { readonly from: number; readonly to: number; readonly column: number }
    }

/** A heading, or which images. */
export function contentOfRow(layout: GridLayout, row: number): RowContent {
  const { groupIndex, group, imageRow } = placeOfRow(layout, row)
  if (imageRow < 0) return { group, headingIndex: groupIndex }
  const { columns } = layout.geometry
  const begin = imageRow * columns - group.lead
  const end = Math.max(0, Math.min(group.count, begin + columns))
  const madeBegin = begin + group.making
  const headings = isGrouped(layout) ? groupIndex + 1 : 0
  return {
    group,
    from: group.from + Math.max(0, begin),
    to: group.from + end - 1,
    column: Math.max(0, -begin),
    imageRowIndex: row - headings,
    making: {
      from: Math.max(0, madeBegin),
      to: Math.min(group.making, madeBegin + columns) - 1,
      column: Math.max(0, -madeBegin),
    },
  }
}

/** The positions between two places of the content, those seen in part too. */
export const positionsBetween = (layout: GridLayout, topPx: number, bottomPx: number) =>
  positionsOfRows(layout, {
    startIndex: rowAt(layout, topPx + layout.geometry.gapPx),
    endIndex: rowAt(layout, bottomPx),
  })

/** The positions in some rows, headings left out; `to < from` where there is none. */
export function positionsOfRows(
  layout: GridLayout,
  { startIndex, endIndex }: { startIndex: number; endIndex: number },
): { from: number; to: number } {
  const first = contentOfRow(layout, Math.min(startIndex, layout.rowCount - 1))
  const last = contentOfRow(layout, Math.min(endIndex, layout.rowCount - 1))
  return {
    from: 'from' in first ? first.from : first.group.from,
    to: 'to' in last ? last.to : last.group.from - 1,
  }
}

/** The image of a row in a column, else the one nearest to it; under a heading the first of its group. */
export function positionIn(layout: GridLayout, row: number, column: number): number {
  const content = contentOfRow(layout, row)
  if (!('from' in content)) return content.group.from
  const { from, to } = content
  return Math.max(from, Math.min(from - content.column + column, to))
}

/** The positions of the images that a rectangle of the content touches, row by row. */
export function positionsTouched(
  layout: GridLayout,
  rectangle: Rectangle,
): { from: number; to: number }[] {
  const columns = columnsTouched(layout.geometry, rectangle)
  if (columns === null || layout.total === 0) return []
  const firstRow = rowAt(layout, rectangle.top)
  const lastRow = rowAt(layout, rectangle.bottom)
  const ranges: { from: number; to: number }[] = []
  for (let row = firstRow; row <= lastRow; row += 1) {
    const content = contentOfRow(layout, row)
    if (!('from' in content)) continue
    const first = content.from - content.column
    const from = Math.max(content.from, first + columns.first)
    const to = Math.min(content.to, first + columns.last)
    // A row of the rectangle's lower edge may begin below it, and one of its upper edge end above.
    const top = topOfRow(layout, row)
    const isTouched = rectangle.bottom >= top && rectangle.top <= top + layout.geometry.cellPx
    if (to >= from && isTouched) ranges.push({ from, to })
  }
  return ranges
}

/** Where to scroll so that a row is wholly seen, below what sticks to the top; unchanged if it is. */
export function scrollTopShowing(
  layout: GridLayout,
  row: number,
  { topPx, heightPx }: { topPx: number; heightPx: number },
): number {
  const { cellPx } = layout.geometry
  const coveredPx = isGrouped(layout) ? layout.headingPx : 0
  const abovePx = isGrouped(layout) ? layout.headingPx : layout.geometry.topPx
  const rowTop = topOfRow(layout, row)
  if (rowTop - coveredPx < topPx) return rowTop - abovePx
  const lowest = Math.max(heightPx - BOTTOM_PX, abovePx + cellPx)
  return rowTop + cellPx > topPx + lowest ? rowTop + cellPx - lowest : topPx
}
