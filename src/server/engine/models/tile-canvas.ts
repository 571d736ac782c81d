import { type BytePicture, emptyPicture } from '#server/engine/pictures/picture.ts'
import type { AxisTile } from './axis-tiles.ts'
import type { Planes } from './image-model.ts'

const COLOURS = 3

/**
 * A picture that tiles are laid onto, row by row of tiles. Sums are kept for one row of tiles alone, since
 * those of the whole would take four times the picture.
 */
export class TileCanvas {
  /** What was laid so far. */
  readonly picture: BytePicture
  readonly #factor: number
  /** Weighted sums, from 0 to 1, of the rows from `#top` on. */
  readonly #sums: Float32Array
  #top = 0

  /** @param bandHeight - The height of a tile on this picture, in pixels. */
  constructor(width: number, height: number, bandHeight: number, factor: number) {
    this.picture = emptyPicture('RGB', width, height)
    this.#factor = factor
    this.#sums = new Float32Array(width * Math.min(bandHeight, height) * COLOURS)
  }

  /** Begins the row of tiles that starts there. */
  startRow({ at }: AxisTile): void {
    const top = at * this.#factor
    const passed = Math.min((top - this.#top) * this.picture.width * COLOURS, this.#sums.length)
    this.#sums.copyWithin(0, passed)
    this.#sums.fill(0, this.#sums.length - passed)
    this.#top = top
  }

  /** Lays a tile. What reaches beyond the picture is left out. */
  lay(tile: Planes, column: AxisTile, row: AxisTile): void {
    const left = column.at * this.#factor
    const { width } = this.picture
    const plane = tile.width * tile.height
    for (let y = 0; y < row.weights.length; y++) {
      const rowWeight = row.weights[y] ?? 0
      for (let x = 0; x < column.weights.length; x++) {
        const weight = rowWeight * (column.weights[x] ?? 0)
        const from = y * tile.width + x
        const sum = (y * width + left + x) * COLOURS
        const to = sum + this.#top * width * COLOURS
        for (let colour = 0; colour < COLOURS; colour++) {
          const value =
            (this.#sums[sum + colour] ?? 0) + weight * (tile.data[from + colour * plane] ?? 0)
          this.#sums[sum + colour] = value
          this.picture.data[to + colour] = byteOf(value)
        }
      }
    }
  }
}

/** From 0 to 1 into a byte; what lies outside is cut off. */
const byteOf = (value: number): number => Math.max(0, Math.min(255, Math.round(value * 255)))
