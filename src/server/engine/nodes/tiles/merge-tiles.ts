import Type from 'typebox'
import { definePictureNode, type NodeContext } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { mixThrough } from '#server/engine/pictures/blend.ts'
import { crop, place } from '#server/engine/pictures/crop.ts'
import { type BytePicture, checkSize, emptyPicture } from '#server/engine/pictures/picture.ts'
import { linearMask, type Overlap, seamMask } from './blend-mask.ts'
import { type Tile, TileWithImage } from './tile.ts'

interface Blending {
  readonly mode: 'Seam' | 'Linear'
  readonly amount: number
}

/** Position of a new piece on the canvas, and the overlap on one side. */
interface Joint {
  readonly x: number
  readonly y: number
  readonly side: Overlap['side']
  readonly overlapPx: number
}

const joinPiece = async (
  canvas: BytePicture,
  piece: BytePicture,
  { x, y, side, overlapPx }: Joint,
  { mode, amount }: Blending,
): Promise<void> => {
  const width = side === 'left' ? overlapPx : piece.width
  const height = side === 'top' ? overlapPx : piece.height
  const overlap: Overlap = {
    present: crop(canvas, { left: x, top: y, width, height }),
    coming: crop(piece, { left: 0, top: 0, width, height }),
    side,
  }
  place(canvas, piece, x, y)
  if (overlapPx === 0) return
  const maskFor = mode === 'Seam' ? seamMask : linearMask
  const mask = await maskFor(overlap, amount)
  place(canvas, await mixThrough(overlap.present, overlap.coming, mask), x, y)
}

/** Returns the tiles in rows from top to bottom, from left to right. Tiles of a row have the same top and bottom. */
const rowsOf = (tiles: readonly TileWithImage[]): [TileWithImage, ...TileWithImage[]][] => {
  const rows: [TileWithImage, ...TileWithImage[]][] = []
  const sorted = tiles.toSorted(
    ({ tile: { coords: a } }, { tile: { coords: b } }) => a.top - b.top || a.left - b.left,
  )
  for (const tile of sorted) {
    const row = rows.at(-1)
    const { top, bottom } = tile.tile.coords
    const start = row?.[0].tile.coords
    if (row && start?.top === top && start.bottom === bottom) row.push(tile)
    else rows.push([tile])
  }
  return rows
}

const readTile = async (
  { tile: { coords }, image }: TileWithImage,
  { readAs }: NodeContext,
): Promise<BytePicture> => {
  const picture = await readAs(image, 'RGB')
  const width = coords.right - coords.left
  const height = coords.bottom - coords.top
  if (picture.width !== width || picture.height !== height) {
    throw new NodeFault(
      `The image of a tile has ${picture.width} x ${picture.height} pixels, the tile ${width} x ${height}.`,
    )
  }
  return picture
}

/** Merges a row into a picture of the full width. */
const mergeRow = async (
  row: readonly [TileWithImage, ...TileWithImage[]],
  width: number,
  blending: Blending,
  context: NodeContext,
): Promise<BytePicture> => {
  const { top, bottom } = row[0].tile.coords
  const merged = emptyPicture('RGB', width, bottom - top)
  for (const piece of row) {
    const { coords, overlap } = piece.tile
    const joint = { x: coords.left, y: 0, side: 'left', overlapPx: overlap.left } as const
    await joinPiece(merged, await readTile(piece, context), joint, blending)
  }
  return merged
}

const sizeOf = (tiles: readonly Tile[]) =>
  tiles.reduce(
    ({ width, height }, { coords: { right, bottom } }) => ({
      width: Math.max(width, right),
      height: Math.max(height, bottom),
    }),
    { width: 0, height: 0 },
  )

/** Merges tiles and blends their overlaps: first within rows, then between rows. Returns RGB. */
export const mergeTilesToImage = definePictureNode({
  type: 'merge_tiles_to_image',
  summary: 'Merges tiles into an image',
  inputs: {
    tiles_with_images: Type.Array(TileWithImage),
    blend_mode: Type.Enum(['Linear', 'Seam'], {
      default: 'Seam',
      description: 'Along a straight line, or where the tiles differ least',
    }),
    blend_amount: Type.Integer({
      default: 32,
      minimum: 0,
      description: 'Pixels over which tiles blend: no more than they overlap',
    }),
  },
  run: async ({ tiles_with_images, blend_mode, blend_amount }, context) => {
    const tiles = tiles_with_images.map(({ tile }) => tile)
    checkTiles(tiles, blend_amount)
    const { width, height } = sizeOf(tiles)
    checkSize(width, height, context.maxPixels)
    const blending = { mode: blend_mode, amount: blend_amount }
    const canvas = emptyPicture('RGB', width, height)
    for (const row of rowsOf(tiles_with_images)) {
      const { coords, overlap } = row[0].tile
      const joint = { x: 0, y: coords.top, side: 'top', overlapPx: overlap.top } as const
      const merged = await mergeRow(row, width, blending, context)
      await joinPiece(canvas, merged, joint, blending)
    }
    return canvas
  },
})

/** Returns the fault of one axis of a tile that extends from `start` to `end`, or null. */
const sideFault = (start: number, end: number, overlapPx: number, blendPx: number) => {
  if (start < 0 || start >= end) return `A tile goes from ${start} to ${end}.`
  if (overlapPx < 0 || overlapPx > end - start) {
    return `A tile of ${end - start} pixels overlaps its neighbour by ${overlapPx}.`
  }
  if (overlapPx > 0 && overlapPx < blendPx) {
    return `Tiles that overlap by ${overlapPx} pixels cannot be blended over ${blendPx}.`
  }
  return null
}

/** @throws {NodeFault} The list is empty, or a tile cannot be merged. */
const checkTiles = (tiles: readonly Tile[], blendPx: number): void => {
  if (tiles.length === 0) throw new NodeFault('There are no tiles to merge.')
  for (const { coords, overlap } of tiles) {
    const fault =
      sideFault(coords.left, coords.right, overlap.left, blendPx) ??
      sideFault(coords.top, coords.bottom, overlap.top, blendPx)
    if (fault !== null) throw new NodeFault(fault)
  }
}
