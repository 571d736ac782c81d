import { columnAt, columnsTouched, type Rectangle } from './grid-geometry.ts'
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
import type { TileBox } from './justified-rows.ts'

export function rowOf(layout: GridLayout, position: number): number {
  const { from, firstRow, lead, justified } = groupOf(layout, position)
  const { columns } = layout.geometry
  const row = justified
    ? Math.ceil(lead / columns) + justified.rowOf(position - from)
    : Math.floor((position - from + lead) / columns)
  return firstRow + (isGrouped(layout) ? 1 : 0) + row
}

export function columnOf(layout: GridLayout, position: number): number {
  const { from, lead, justified } = groupOf(layout, position)
  const index = position - from
  if (justified) return index - justified.spanOf(justified.rowOf(index)).from
  return (index + lead) % layout.geometry.columns
}

/** Returns a row's group and its index among the group's image rows and justified rows (negative for other rows). */
function placeOfRow(layout: GridLayout, row: number) {
  const groupIndex = groupIndexOfRow(layout, row)
  const group = layout.groups[groupIndex] ?? NOWHERE
  const imageRow = row - group.firstRow - (isGrouped(layout) ? 1 : 0)
  const leadRows = Math.ceil(group.lead / layout.geometry.columns)
  const justifiedRow = group.justified ? imageRow - leadRows : -1
  return { groupIndex, group, imageRow, justifiedRow, leadRows }
}

/** Returns the top of a row, in pixels from the top of the content. */
export function topOfRow(layout: GridLayout, row: number): number {
  const { group, imageRow, justifiedRow, leadRows } = placeOfRow(layout, row)
  if (imageRow < 0) return group.topPx
  const { rowPx } = layout.geometry
  const imagesTop = group.topPx + layout.headingPx
  if (!group.justified || justifiedRow < 0) return imagesTop + imageRow * rowPx
  return imagesTop + leadRows * rowPx + group.justified.topOf(justifiedRow)
}

/** Returns the top of a position's row, in pixels from the top of the content. */
export const topOfPosition = (layout: GridLayout, position: number): number =>
  topOfRow(layout, rowOf(layout, position))

/** Returns the distance from the top of a row to the top of the next, in pixels. */
export function heightOfRow(layout: GridLayout, row: number): number {
  const { group, imageRow, justifiedRow } = placeOfRow(layout, row)
  if (imageRow < 0) return layout.headingPx
  if (!group.justified || justifiedRow < 0) return layout.geometry.rowPx
  return group.justified.tileHeightOf(justifiedRow) + layout.geometry.gapPx
}

/** Returns the height of the tiles of a row, in pixels. */
export const tileHeightOf = (layout: GridLayout, row: number): number =>
  heightOfRow(layout, row) - layout.geometry.gapPx

/** Returns the row at a distance from the top. The gap below a row belongs to it. */
export function rowAt(layout: GridLayout, yPx: number): number {
  const { firstRow, topPx, count, lead, justified } = groupAt(layout, yPx)
  const { rowPx, columns } = layout.geometry
  const below = yPx - topPx - layout.headingPx
  const heading = isGrouped(layout) ? 1 : 0
  if (below < 0) return firstRow
  if (justified) {
    const leadRows = Math.ceil(lead / columns)
    const leadPx = leadRows * rowPx
    const isInLead = below < leadPx || justified.count === 0
    const leadRow = Math.min(Math.floor(below / rowPx), Math.max(0, leadRows - 1))
    const row = isInLead ? leadRow : leadRows + justified.rowAt(below - leadPx)
    return firstRow + heading + row
  }
  const last = Math.max(0, Math.ceil((count + lead) / columns) - 1)
  return firstRow + heading + Math.min(Math.floor(below / rowPx), last)
}

/** Content of a row: a heading, or images. */
export type RowContent =
  | { readonly group: PlacedGroup; readonly headingIndex: number }
  | {
      readonly group: PlacedGroup
      readonly headingIndex?: never
      /** Places of the images; `null` if they are squares in columns. */
      readonly boxes: readonly TileBox[] | null
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
  const { groupIndex, group, imageRow, justifiedRow } = placeOfRow(layout, row)
  if (imageRow < 0) return { group, headingIndex: groupIndex }
  const { columns } = layout.geometry
  const headings = isGrouped(layout) ? groupIndex + 1 : 0
  const imageRowIndex = row - headings
  if (group.justified) {
    const { from, to } =
      justifiedRow < 0 ? { from: 0, to: -1 } : group.justified.spanOf(justifiedRow)
    const first = imageRow * columns
    const last = justifiedRow < 0 ? Math.min(group.generations, first + columns) - 1 : first - 1
    return {
      ...{ group, from: group.from + from, to: group.from + to, column: 0, imageRowIndex },
      boxes: group.justified.boxesOf(Math.max(0, justifiedRow)),
      generations: { from: first, to: last, column: 0 },
    }
  }
  const begin = imageRow * columns - group.lead
  const end = Math.max(0, Math.min(group.count, begin + columns))
  const madeBegin = begin + group.generations
  return {
    group,
    boxes: null,
    from: group.from + Math.max(0, begin),
    to: group.from + end - 1,
    column: Math.max(0, -begin),
    imageRowIndex,
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

/**
 * Returns the positions that a range of positions needs to be drawn. The rows of a justified segment depend on all of
 * its images.
 */
export function positionsToLoad(
  layout: GridLayout,
  { from, to }: { from: number; to: number },
): { from: number; to: number } {
  const first = groupOf(layout, from)
  const last = groupOf(layout, to)
  if (!first.justified || !last.justified || to < from) return { from, to }
  return {
    from: first.from + first.justified.segmentOf(from - first.from).from,
    to: last.from + last.justified.segmentOf(to - last.from).to,
  }
}

/** Returns the position in a column of a row, or the nearest one in the row; for a heading, the first of its group. */
export function positionIn(layout: GridLayout, row: number, column: number): number {
  const content = contentOfRow(layout, row)
  if (!('from' in content)) return content.group.from
  const { from, to } = content
  return Math.max(from, Math.min(from - content.column + column, to))
}

/** Returns the position at a horizontal place of a row, or the nearest one in the row. */
export function positionNear(layout: GridLayout, row: number, xPx: number): number {
  const content = contentOfRow(layout, row)
  if (!('from' in content) || content.boxes === null)
    return positionIn(layout, row, columnAt(layout.geometry, xPx))
  const { boxes, from, to } = content
  const { gapPx } = layout.geometry
  const at = boxes.findIndex(({ leftPx, widthPx }) => xPx < leftPx + widthPx + gapPx / 2)
  return at < 0 ? Math.max(from, to) : Math.min(from + at, Math.max(from, to))
}

/** Returns the horizontal center of an image, in pixels from the left edge. */
export function centerOf(layout: GridLayout, position: number): number {
  const { leftPx, cellPx, gapPx } = layout.geometry
  const { from, justified } = groupOf(layout, position)
  if (!justified) return leftPx + columnOf(layout, position) * (cellPx + gapPx) + cellPx / 2
  const box = justified.boxesOf(justified.rowOf(position - from))[columnOf(layout, position)]
  return box === undefined ? leftPx : box.leftPx + box.widthPx / 2
}

/** Returns the positions of the images that a rectangle overlaps, row by row. */
export function positionsTouched(
  layout: GridLayout,
  rectangle: Rectangle,
): { from: number; to: number }[] {
  const columns = columnsTouched(layout.geometry, rectangle)
  if (layout.total === 0) return []
  const firstRow = rowAt(layout, rectangle.top)
  const lastRow = rowAt(layout, rectangle.bottom)
  const ranges: { from: number; to: number }[] = []
  for (let row = firstRow; row <= lastRow; row += 1) {
    const content = contentOfRow(layout, row)
    if (!('from' in content)) continue
    const touched = content.boxes ? boxesTouched(content.boxes, rectangle) : columns
    if (touched === null) continue
    const first = content.from - content.column
    const from = Math.max(content.from, first + touched.first)
    const to = Math.min(content.to, first + touched.last)
    // `rowAt` includes gaps: the rectangle may end above the last row's images or begin below the first row's.
    const top = topOfRow(layout, row)
    const isTouched = rectangle.bottom >= top && rectangle.top <= top + tileHeightOf(layout, row)
    if (to >= from && isTouched) ranges.push({ from, to })
  }
  return ranges
}

const boxesTouched = (boxes: readonly TileBox[], { left, right }: Rectangle) => {
  const first = boxes.findIndex(({ leftPx, widthPx }) => leftPx + widthPx >= left)
  const last = boxes.findLastIndex(({ leftPx }) => leftPx <= right)
  return first < 0 || last < first ? null : { first, last }
}

/** Returns the scroll position that makes a row fully visible below the sticky heading; unchanged if it already is. */
export function scrollTopShowing(
  layout: GridLayout,
  row: number,
  { topPx, heightPx }: { topPx: number; heightPx: number },
): number {
  const tilePx = tileHeightOf(layout, row)
  const coveredPx = isGrouped(layout) ? layout.headingPx : 0
  const abovePx = isGrouped(layout) ? layout.headingPx : layout.geometry.topPx
  const rowTop = topOfRow(layout, row)
  if (rowTop - coveredPx < topPx) return rowTop - abovePx
  const lowest = Math.max(heightPx - BOTTOM_PX, abovePx + tilePx)
  return rowTop + tilePx > topPx + lowest ? rowTop + tilePx - lowest : topPx
}
