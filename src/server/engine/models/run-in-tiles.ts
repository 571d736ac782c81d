import type { NodeContext } from '#server/engine/define-node.ts'
import { checkSize } from '#server/engine/pictures/check-size.ts'
import type { BytePicture } from '#server/engine/pictures/picture.ts'
import { axisTiles } from './axis-tiles.ts'
import type { ImageModel } from './image-model.ts'
import { planesOf } from './planes-of.ts'
import { TileCanvas } from './tile-canvas.ts'

/** Sides that a model takes at its own liking are multiples of this: many models halve them a few times. */
const SIDE_STEP = 8

/** How a picture is cut, in pixels. */
export interface Tiling {
  tileSize: number
  overlap: number
}

type Telling = Pick<NodeContext, 'maxPixels' | 'progress' | 'signal'>

/**
 * Runs a model over a picture tile by tile, as its memory grows with the pixels of a run.
 *
 * @param picture - `RGB` or `RGBA`; its alpha is not looked at.
 * @returns `RGB`, the sides multiplied as the model does it.
 * @throws {NodeFault} What the model makes is no picture, or one that is too large.
 * @throws The signal's reason, once it is aborted.
 */
export async function runInTiles(
  model: ImageModel,
  picture: BytePicture,
  { tileSize, overlap }: Tiling,
  { maxPixels, progress, signal }: Telling,
): Promise<BytePicture> {
  const width = model.fixedWidth ?? sideOfTile(picture.width, tileSize)
  const height = model.fixedHeight ?? sideOfTile(picture.height, tileSize)
  const run = (left: number, top: number) => {
    signal.throwIfAborted()
    return model.run(planesOf(picture, { left, top, width, height }))
  }

  // How much the model enlarges is known only from what it makes.
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
      canvas.lay(made, column, row)
      done += 1
      progress(`Tile ${done} of ${count}`, done / count, canvas.picture)
    }
  }
  signal.throwIfAborted()
  return canvas.picture
}

const sideOfTile = (side: number, tileSize: number): number =>
  Math.min(tileSize, Math.ceil(side / SIDE_STEP) * SIDE_STEP)

/** More than half of a tile cannot be shared with the one before it and the one after it. */
const sharedBy = (tile: number, overlap: number): number => Math.min(overlap, Math.floor(tile / 2))
