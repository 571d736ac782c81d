/** Limits of the tile size, in CSS pixels. */
export const MIN_TILE_PX = 80
export const MAX_TILE_PX = 400

/** Gap between tiles, and padding around the grid, in pixels. */
const GAP_PX = 8
const PADDING_PX = 16
const NARROW_PADDING_PX = 8

export interface GridGeometry {
  readonly columns: number
  /** Width and height of a tile. A whole number, because fractions would add up over 100,000 rows. */
  readonly cellPx: number
  /** Distance from the top of one row to the top of the next. */
  readonly rowPx: number
  readonly gapPx: number
  /** Space above the first row and left of the first column. */
  readonly topPx: number
  readonly leftPx: number
}

/** Returns the geometry with as many columns of about the wanted tile size as fit. Tiles share the remaining width. */
export function geometryOf(widthPx: number, tilePx: number): GridGeometry {
  const paddingPx = widthPx < 640 ? NARROW_PADDING_PX : PADDING_PX
  const gapPx = widthPx < 640 ? GAP_PX / 2 : GAP_PX
  const innerPx = Math.max(1, widthPx - 2 * paddingPx)
  const columns = Math.max(1, Math.round((innerPx + gapPx) / (tilePx + gapPx)))
  const cellPx = Math.max(1, Math.floor((innerPx - (columns - 1) * gapPx) / columns))
  const usedPx = columns * cellPx + (columns - 1) * gapPx
  return {
    columns,
    cellPx,
    rowPx: cellPx + gapPx,
    gapPx,
    topPx: paddingPx,
    leftPx: Math.floor((widthPx - usedPx) / 2),
  }
}

/** Returns the column at a distance from the left edge, or the nearest column. */
export function columnAt({ columns, leftPx, cellPx, gapPx }: GridGeometry, xPx: number): number {
  const column = Math.floor((xPx - leftPx) / (cellPx + gapPx))
  return Math.min(Math.max(0, column), columns - 1)
}

export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Returns the columns that a rectangle overlaps; `null` if it is between columns or outside of them. */
export function columnsTouched(
  { columns, leftPx, cellPx, gapPx }: GridGeometry,
  { left, right }: Rectangle,
): { first: number; last: number } | null {
  const stepPx = cellPx + gapPx
  const first = Math.max(0, Math.ceil((left - leftPx - cellPx) / stepPx))
  const last = Math.min(columns - 1, Math.floor((right - leftPx) / stepPx))
  return last < first ? null : { first, last }
}
