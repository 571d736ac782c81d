import { NodeFault } from '#server/engine/node-fault.ts'
import type { Tile } from './tile.ts'

/** What is wrong with one side of a tile, whose pixels go from `start` to `end`. */
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

/** @throws {NodeFault} No tiles, or such as cannot be merged. */
export const checkTiles = (tiles: readonly Tile[], blendPx: number): void => {
  if (tiles.length === 0) throw new NodeFault('There are no tiles to merge.')
  for (const { coords, overlap } of tiles) {
    const fault =
      sideFault(coords.left, coords.right, overlap.left, blendPx) ??
      sideFault(coords.top, coords.bottom, overlap.top, blendPx)
    if (fault !== null) throw new NodeFault(fault)
  }
}
