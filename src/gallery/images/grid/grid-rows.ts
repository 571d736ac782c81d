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

export function rowOf(layout: GridLayout, position: number): number {
  const { from, firstRow, lead } = groupOf(layout, position)
  const row = Math.floor((position - from + lead) / layout.geometry.columns)
  return firstRow + (isGrouped(layout) ? 1 : 0) + row
}

export function columnOf(layout: GridLayout, position: number): number {
  const { from, lead } = groupOf(layout, position)
  return (position - from + lead) % layout.geometry.columns
}

/** Returns a row's group and its index among the group's image rows (-1 for the heading). */
function placeOfRow(layout: GridLayout, row: number) {
  const groupIndex = groupIndexOfRow(layout, row)
  const group = layout.groups[groupIndex] ?? NOWHERE
  const imageRow = row - group.firstRow - (isGrouped(layout) ? 1 : 0)
  return { groupIndex, group, imageRow }
}

/** Returns the top of a row, in pixels from the top of the content. */
export function topOfRow(layout: GridLayout, row: number): number {
  const { group, imageRow } = placeOfRow(layout, row)
  if (imageRow < 0) return group.topPx
  return group.topPx + layout.headingPx + imageRow * layout.geometry.rowPx
}

/** Returns the top of a position's row, in pixels from the top of the content. */
export const topOfPosition = (layout: GridLayout, position: number): number =>
  topOfRow(layout, rowOf(layout, position))

/** Returns the distance from the top of a row to the top of the next, in pixels. */
export const heightOfRow = (layout: GridLayout, row: number): number =>
  placeOfRow(layout, row).imageRow < 0 ? layout.headingPx : layout.geometry.rowPx

/** Returns the row at a distance from the top. The gap below a row belongs to it. */
export function rowAt(layout: GridLayout, yPx: number): number {
  const { firstRow, topPx, count, lead } = groupAt(layout, yPx)
  const { rowPx, columns } = layout.geometry
  const below = yPx - topPx - layout.headingPx
  const heading = isGrouped(layout) ? 1 : 0
  if (below < 0) return firstRow
  const last = Math.max(0, Math.ceil((count + lead) / columns) - 1)
  return firstRow + heading + Math.min(Math.floor(below / rowPx), last)
}

/** Content of a row: a heading, or images. */
export type RowContent =
  | { readonly group: PlacedGroup; readonly headingIndex: number }
  | {
      readonly group: PlacedGroup
      readonly headingIndex?: never
      /** First and last position in the row, inclusive; `to < from` if it has no images. */
      readonly from: number
      readonly to: number
      /** Column of the first image. */
      readonly column: number
      /** Number of image rows above. */
      readonly imageRowIndex: number
      /** Cells of running generations before the images: first index, last index, and the column of the first. */
      readonly generations: { readonly from: number; readonly to: number; readonly column: number }
    }

export function contentOfRow(layout: GridLayout, row: number): RowContent {
  const { groupIndex, group, imageRow } = placeOfRow(layout, row)
  if (imageRow < 0) return { group, headingIndex: groupIndex }
  const { columns } = layout.geometry
  const begin = imageRow * columns - group.lead
  const end = Math.max(0, Math.min(group.count, begin + columns))
  const madeBegin = begin + group.generations
  const headings = isGrouped(layout) ? groupIndex + 1 : 0
  return {
    group,
    from: group.from + Math.max(0, begin),
    to: group.from + end - 1,
    column: Math.max(0, -begin),
    imageRowIndex: row - headings,
    generations: {
      from: Math.max(0, madeBegin),
      to: Math.min(group.generations, madeBegin + columns) - 1,
      column: Math.max(0, -madeBegin),
    },
  }
}

/** Returns the positions between two heights of the content, including partly visible ones. */
export const positionsBetween = (layout: GridLayout, topPx: number, bottomPx: number) =>
  positionsOfRows(layout, {
    startIndex: rowAt(layout, topPx + layout.geometry.gapPx),
    endIndex: rowAt(layout, bottomPx),
  })

/** Returns the positions in a range of rows without headings; `to < from` if there are none. */
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

/** Returns the position in a column of a row, or the nearest one in the row; for a heading, the first of its group. */
export function positionIn(layout: GridLayout, row: number, column: number): number {
  const content = contentOfRow(layout, row)
  if (!('from' in content)) return content.group.from
  const { from, to } = content
  return Math.max(from, Math.min(from - content.column + column, to))
}

/** Returns the positions of the images that a rectangle overlaps, row by row. */
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
    // `rowAt` includes gaps: the rectangle may end above the last row's images or begin below the first row's.
    const top = topOfRow(layout, row)
    const isTouched = rectangle.bottom >= top && rectangle.top <= top + layout.geometry.cellPx
    if (to >= from && isTouched) ranges.push({ from, to })
  }
  return ranges
}

/** Returns the scroll position that makes a row fully visible below the sticky heading; unchanged if it already is. */
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
