/** The smallest and the largest tile that can be asked for, in CSS pixels. */
export const MIN_TILE_PX = 80
export const MAX_TILE_PX = 400

/** Between tiles, and around all of them. */
const GAP_PX = 8
const PADDING_PX = 16
const NARROW_PADDING_PX = 8

/** How square cells stand side by side. */
export interface GridGeometry {
  readonly columns: number
  /** Width and height of a tile, a whole number: fractions would add up over 100,000 rows. */
  readonly cellPx: number
  /** From the top of one row to the top of the next. */
  readonly rowPx: number
  readonly gapPx: number
  /** Before the first row and the first column. */
  readonly topPx: number
  readonly leftPx: number
}

/** As many columns as tiles of about the wanted size fit into a width; then tiles share what is left. */
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

/** The column at a distance from the left edge; beside all columns the nearest one. */
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

/** The columns that a rectangle touches; `null` where it lies between them or beside them. */
export function columnsTouched(
  { columns, leftPx, cellPx, gapPx }: GridGeometry,
  { left, right }: Rectangle,
): { first: number; last: number } | null {
  const stepPx = cellPx + gapPx
  const first = Math.max(0, Math.ceil((left - leftPx - cellPx) / stepPx))
  const last = Math.min(columns - 1, Math.floor((right - leftPx) / stepPx))
  return last < first ? null : { first, last }
}
