import type { NodeContext } from '#server/engine/define-node.ts'
import { throwIfAborted } from '#server/engine/pictures/in-slices.ts'
import {
  type BytePicture,
  bandsOf,
  checkSize,
  emptyPicture,
} from '#server/engine/pictures/picture.ts'
import { type AxisTile, axisTiles } from './axis-tiles.ts'
import type { ImageModel, Planes } from './image-model.ts'

/** Tile sides are multiples of this if the model accepts any size: many models halve the sides a few times. */
const SIDE_STEP = 8

type TileContext = Pick<NodeContext, 'maxPixels' | 'progress'>

/**
 * Runs a model over a picture tile by tile, because its memory use grows with the pixels of a run.
 *
 * @param picture - `RGB` or `RGBA`. Alpha is ignored.
 * @param tiling - In pixels.
 * @returns `RGB`, enlarged by the factor of the model.
 * @throws {NodeFault} The model's output is not a picture or too large.
 * @throws As `inSlices`.
 */
export async function runInTiles(
  model: ImageModel,
  picture: BytePicture,
  { tileSize, overlap }: { tileSize: number; overlap: number },
  { maxPixels, progress }: TileContext,
): Promise<BytePicture> {
  const width = model.fixedWidth ?? sideOfTile(picture.width, tileSize)
  const height = model.fixedHeight ?? sideOfTile(picture.height, tileSize)
  const run = (left: number, top: number) => {
    throwIfAborted()
    return model.run(planesOf(picture, { left, top, width, height }))
  }

  // The scale factor is known only after the first run.
  const first = await run(0, 0)
  const { factor } = first
  checkSize(picture.width * factor, picture.height * factor, maxPixels)
  const columns = axisTiles(picture.width, width, sharedBy(width, overlap), factor)
  const rows = axisTiles(picture.height, height, sharedBy(height, overlap), factor)
  const canvas = new TileCanvas(
    picture.width * factor,
    picture.height * factor,
    height * factor,
    factor,
  )
  const count = columns.length * rows.length
  let done = 0
  for (const row of rows) {
    canvas.startRow(row)
    for (const column of columns) {
      const made = done === 0 ? first : await run(column.at, row.at)
      canvas.addTile(made, column, row)
      done += 1
      progress(`Tile ${done} of ${count}`, done / count, canvas.picture)
    }
  }
  throwIfAborted()
  return canvas.picture
}

const sideOfTile = (side: number, tileSize: number): number =>
  Math.min(tileSize, Math.ceil(side / SIDE_STEP) * SIDE_STEP)

/** Limits the overlap to half a tile, because a tile overlaps both neighbors. */
const sharedBy = (tile: number, overlap: number): number => Math.min(overlap, Math.floor(tile / 2))

/**
 * Returns the color planes of a part of a picture. Beyond the picture, its last column and row repeat.
 *
 * @param picture - `RGB` or `RGBA`.
 */
function planesOf(
  { mode, width, height, data }: BytePicture,
  part: { left: number; top: number; width: number; height: number },
): Planes {
  const bands = bandsOf[mode]
  const plane = part.width * part.height
  const planes = new Float32Array(plane * 3)
  for (let y = 0; y < part.height; y++) {
    const row = Math.min(part.top + y, height - 1) * width
    for (let x = 0; x < part.width; x++) {
      const from = (row + Math.min(part.left + x, width - 1)) * bands
      const to = y * part.width + x
      planes[to] = (data[from] ?? 0) / 255
      planes[to + plane] = (data[from + 1] ?? 0) / 255
      planes[to + 2 * plane] = (data[from + 2] ?? 0) / 255
    }
  }
  return { width: part.width, height: part.height, data: planes }
}

const COLORS = 3

/**
 * The result picture. Tiles are added one row of tiles at a time. Only one row has floating-point sums, because sums
 * of the whole picture would take four times its memory.
 */
class TileCanvas {
  /** All tiles added so far. */
  readonly picture: BytePicture
  readonly #factor: number
  /** Weighted sums from 0 to 1, starting at row `#top` of the picture. */
  readonly #sums: Float32Array
  #top = 0

  /** @param bandHeight - Height of a tile on this picture, in pixels. */
  constructor(width: number, height: number, bandHeight: number, factor: number) {
    this.picture = emptyPicture('RGB', width, height)
    this.#factor = factor
    this.#sums = new Float32Array(width * Math.min(bandHeight, height) * COLORS)
  }

  startRow({ at }: AxisTile): void {
    const top = at * this.#factor
    const passed = Math.min((top - this.#top) * this.picture.width * COLORS, this.#sums.length)
    this.#sums.copyWithin(0, passed)
    this.#sums.fill(0, this.#sums.length - passed)
    this.#top = top
  }

  /** Adds a tile. Pixels outside of the picture are dropped. */
  addTile(tile: Planes, column: AxisTile, row: AxisTile): void {
    const left = column.at * this.#factor
    const { width } = this.picture
    const plane = tile.width * tile.height
    for (let y = 0; y < row.weights.length; y++) {
      const rowWeight = row.weights[y] ?? 0
      for (let x = 0; x < column.weights.length; x++) {
        const weight = rowWeight * (column.weights[x] ?? 0)
        const from = y * tile.width + x
        const sum = (y * width + left + x) * COLORS
        const to = sum + this.#top * width * COLORS
        for (let color = 0; color < COLORS; color++) {
          const value =
            (this.#sums[sum + color] ?? 0) + weight * (tile.data[from + color * plane] ?? 0)
          this.#sums[sum + color] = value
          this.picture.data[to + color] = byteOf(value)
        }
      }
    }
  }
}

/** Converts 0 to 1 to a byte. Clamps values outside of this range. */
const byteOf = (value: number): number => Math.max(0, Math.min(255, Math.round(value * 255)))
