import { RATIO_UNIT } from '#contract/image-ratio.ts'
import type { GridGeometry } from './grid-geometry.ts'

/** Images that fill whole rows. Only its count and sum determine its height, so that it never changes. */
export interface RatioSegment {
  readonly count: number
  /** Sum of the ratios, see `RATIO_UNIT`. */
  readonly sum: number
  /** Returns the ratio of each image; 0 if it is unknown. */
  readonly ratios: () => Uint8Array
}

/** Left edge and width of a tile, in pixels. */
export interface TileBox {
  readonly leftPx: number
  readonly widthPx: number
}

interface PlacedSegment extends RatioSegment, SegmentShape {
  /** Index of its first image. */
  readonly from: number
  readonly firstRow: number
  readonly topPx: number
}

interface SegmentShape {
  readonly rows: number
  /** Mean height of the tiles in its rows, in pixels. */
  readonly tilePx: number
  /** Height with the gaps below its rows, in pixels; a whole number. */
  readonly heightPx: number
  /** False: its last row is too short to be stretched to the full width. */
  readonly isFull: boolean
}

/** The rows of a segment. */
interface Cut {
  /** Offset of the first image of each row, and the number of images. */
  readonly firsts: readonly number[]
  /** Top of each row, and the height of the segment. */
  readonly tops: readonly number[]
  readonly boxes: readonly TileBox[]
}

/** The last row of a group is stretched if its images would fill this much of it, or of it and the next one. */
const STRETCHED_FROM = 0.8
const STRETCHED_TO = 1.3

/**
 * Returns the rows and the height of a segment. The images in one line, at the wanted height, are divided by the width,
 * and rounded to whole rows. Then all rows together get the height with which they fill the width.
 *
 * @param isLast - True for the last segment of a group, whose last row may stay short.
 */
export function shapeOf(
  geometry: GridGeometry,
  { count, sum }: Pick<RatioSegment, 'count' | 'sum'>,
  isLast: boolean,
): SegmentShape {
  const { gapPx } = geometry
  const widthPx = usedWidthOf(geometry)
  const ratio = Math.max(1, sum) / RATIO_UNIT
  const wantedPx = wantedHeightOf(geometry)
  const lines = (ratio * wantedPx + count * gapPx) / (widthPx + gapPx)
  const rows = Math.min(
    count,
    Math.max(1, isLast ? Math.ceil(lines - (STRETCHED_TO - 1)) : Math.round(lines)),
  )
  const isFull = !isLast || lines - (rows - 1) >= STRETCHED_FROM
  const fillingPx = (rows * (widthPx + gapPx) - count * gapPx) / ratio
  const tilePx = Math.max(1, isFull ? fillingPx : wantedPx)
  return {
    rows,
    tilePx,
    heightPx: Math.max(rows, Math.round(rows * tilePx)) + rows * gapPx,
    isFull,
  }
}

const usedWidthOf = ({ columns, cellPx, gapPx }: GridGeometry): number =>
  columns * cellPx + (columns - 1) * gapPx

/** A row is at most half as high as the grid is wide, because a row of single images would crop most of them. */
const wantedHeightOf = (geometry: GridGeometry): number =>
  Math.min(geometry.cellPx, usedWidthOf(geometry) / 2)

/** The justified rows of a group of images. Only rows that are looked at are computed. */
export class JustifiedRows {
  readonly count: number
  readonly heightPx: number
  readonly #geometry: GridGeometry
  readonly #segments: readonly PlacedSegment[]
  readonly #cuts = new Map<PlacedSegment, Cut>()

  constructor(geometry: GridGeometry, segments: readonly RatioSegment[]) {
    const placed: PlacedSegment[] = []
    let [from, firstRow, topPx] = [0, 0, 0]
    for (const [at, { count, sum, ratios }] of segments.entries()) {
      const shape = shapeOf(geometry, { count, sum }, at === segments.length - 1)
      placed.push({ count, sum, ratios, ...shape, from, firstRow, topPx })
      from += count
      firstRow += shape.rows
      topPx += shape.heightPx
    }
    this.#geometry = geometry
    this.#segments = placed
    this.count = firstRow
    this.heightPx = topPx
  }

  /** Returns the row of an image, by its index in the group. */
  rowOf(index: number): number {
    const segment = this.#segmentAt(index, ({ from }) => from)
    if (segment === undefined) return 0
    const { firsts } = this.#cutOf(segment)
    return segment.firstRow + lastUpTo(firsts, index - segment.from, segment.rows - 1)
  }

  /** Returns the first and the last index of the segment that contains an image. */
  segmentOf(index: number): { from: number; to: number } {
    const segment = this.#segmentAt(index, ({ from }) => from)
    return segment === undefined
      ? { from: index, to: index }
      : { from: segment.from, to: segment.from + segment.count - 1 }
  }

  /** Returns the top of a row, in pixels from the top of the group. */
  topOf(row: number): number {
    return this.#of(row, ({ topPx }, { tops }, at) => topPx + (tops[at] ?? 0))
  }

  /** Returns the height of the tiles of a row, in pixels. */
  tileHeightOf(row: number): number {
    return this.#of(row, (_, { tops }, at) =>
      Math.max(1, (tops[at + 1] ?? 0) - (tops[at] ?? 0) - this.#geometry.gapPx),
    )
  }

  /** Returns the row at a distance from the top. The gap below a row belongs to it. */
  rowAt(yPx: number): number {
    const segment = this.#segmentAt(yPx, ({ topPx }) => topPx)
    if (segment === undefined) return 0
    const { tops } = this.#cutOf(segment)
    return segment.firstRow + lastUpTo(tops, yPx - segment.topPx, segment.rows - 1)
  }

  /** Returns the first and the last index of a row. */
  spanOf(row: number): { from: number; to: number } {
    return {
      from: this.#of(row, ({ from }, { firsts }, at) => from + (firsts[at] ?? 0)),
      to: this.#of(row, ({ from }, { firsts }, at) => from + (firsts[at + 1] ?? 0) - 1),
    }
  }

  /** Returns the tiles of a row, from left to right. */
  boxesOf(row: number): readonly TileBox[] {
    const segment = this.#segmentAt(row, ({ firstRow }) => firstRow)
    if (segment === undefined) return []
    const { firsts, boxes } = this.#cutOf(segment)
    const at = row - segment.firstRow
    return boxes.slice(firsts[at], firsts[at + 1])
  }

  #of(row: number, read: (segment: PlacedSegment, cut: Cut, at: number) => number): number {
    const segment = this.#segmentAt(row, ({ firstRow }) => firstRow)
    return segment === undefined ? 0 : read(segment, this.#cutOf(segment), row - segment.firstRow)
  }

  #segmentAt(value: number, beginOf: (segment: PlacedSegment) => number) {
    let low = 0
    let high = this.#segments.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const segment = this.#segments[middle]
      if (segment && beginOf(segment) <= value) low = middle
      else high = middle - 1
    }
    return this.#segments[low]
  }

  #cutOf(segment: PlacedSegment): Cut {
    const known = this.#cuts.get(segment)
    if (known !== undefined) return known
    const cut = cutSegment(this.#geometry, segment)
    this.#cuts.set(segment, cut)
    return cut
  }
}

/** Returns the last index up to `most` whose number, in an ascending list, is at most a value; at least 0. */
function lastUpTo(list: readonly number[], value: number, most: number): number {
  let low = 0
  let high = most
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((list[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Divides the images of a segment into its rows. A row ends at the image nearest to its share of the line. The heights
 * with which the rows fill the width do not add up to the segment's height exactly, so all are scaled by one factor, which
 * crops or enlarges the images by a few percent.
 */
function cutSegment(geometry: GridGeometry, segment: PlacedSegment): Cut {
  const { gapPx, leftPx } = geometry
  const widthPx = usedWidthOf(geometry)
  const { count, rows, tilePx, heightPx, isFull } = segment
  const ratios = knownRatios(segment)
  const sums = [0]
  for (const ratio of ratios) sums.push((sums.at(-1) ?? 0) + ratio)
  const lineAt = (at: number) => (sums[at] ?? 0) * tilePx + at * gapPx
  const rowLine = isFull ? lineAt(count) / rows : widthPx + gapPx

  const firsts = [0]
  const fullHeights: number[] = []
  for (let row = 0; row < rows; row += 1) {
    const first = firsts[row] ?? 0
    // Each later row needs an image.
    const most = count - (rows - 1 - row)
    let end = first + 1
    const goal = (row + 1) * rowLine
    if (row === rows - 1) end = count
    else while (end < most && goal - lineAt(end) > lineAt(end + 1) - goal) end += 1
    firsts.push(end)
    const filled = (widthPx - (end - first - 1) * gapPx) / ((sums[end] ?? 0) - (sums[first] ?? 0))
    fullHeights.push(Math.max(1, isFull || row < rows - 1 ? filled : Math.min(tilePx, filled)))
  }

  const scale = (heightPx - rows * gapPx) / fullHeights.reduce((sum, height) => sum + height, 0)
  const tops = [0]
  let exactPx = 0
  const boxes: TileBox[] = []
  for (const [row, height] of fullHeights.entries()) {
    exactPx += height * scale + gapPx
    tops.push(Math.round(exactPx))
    const first = firsts[row] ?? 0
    const edgeOf = (at: number) =>
      Math.round(((sums[at] ?? 0) - (sums[first] ?? 0)) * height + (at - first) * gapPx)
    for (let at = first; at < (firsts[row + 1] ?? 0); at += 1) {
      const left = edgeOf(at)
      boxes.push({ leftPx: leftPx + left, widthPx: Math.max(1, edgeOf(at + 1) - gapPx - left) })
    }
  }
  return { firsts, tops, boxes }
}

/** Returns the ratio of each image. Unknown ones share the rest of the sum. */
function knownRatios({ count, sum, ratios }: RatioSegment): number[] {
  const known = [...ratios()]
  const unknownCount = known.filter((ratio) => ratio === 0).length
  const rest = sum - known.reduce((all, ratio) => all + ratio, 0)
  const mean = sum / count
  // If images have changed since the sum was read, the rest can be anything.
  const likely = Math.min(Math.max(rest / Math.max(1, unknownCount), mean / 2), mean * 2)
  return known.map((ratio) => (ratio === 0 ? likely : ratio) / RATIO_UNIT)
}
