/** A tile along one side of a picture. */
export interface AxisTile {
  /** Where it begins, in pixels of the picture. */
  readonly at: number
  /** What each pixel of the result counts: from all tiles together, each gets 1. */
  readonly weights: Float32Array
}

/**
 * Tiles that cover a side of a picture. Where tiles lie over each other, one fades into the next.
 *
 * @param side - In pixels, as the following.
 * @param tile - The length of a tile. A tile longer than the side reaches beyond its end.
 * @param overlap - What neighbours share at least; at most half of a tile.
 * @param factor - Pixels of the result for each of the picture.
 */
export function axisTiles(side: number, tile: number, overlap: number, factor: number): AxisTile[] {
  const count = Math.max(1, Math.ceil((side - overlap) / (tile - overlap)))
  const starts = Array.from({ length: count }, (_, index) =>
    Math.max(0, Math.min(index * (tile - overlap), side - tile)),
  )
  const sums = new Float64Array(side * factor)
  const tiles = starts.map((at) => {
    const weights = rawWeights(at, { side, tile, overlap, factor })
    weights.forEach((weight, index) => {
      sums[at * factor + index] = (sums[at * factor + index] ?? 0) + weight
    })
    return { at, weights }
  })
  for (const { at, weights } of tiles) {
    for (let index = 0; index < weights.length; index++) {
      weights[index] = (weights[index] ?? 0) / (sums[at * factor + index] ?? 1)
    }
  }
  return tiles
}

/** Rising from the tile's beginning and falling to its end, but not where the picture itself begins or ends. */
function rawWeights(
  at: number,
  { side, tile, overlap, factor }: { side: number; tile: number; overlap: number; factor: number },
): Float32Array {
  const length = Math.min(tile, side - at) * factor
  const ramp = overlap * factor
  return Float32Array.from({ length }, (_, index) => {
    const fromStart = at === 0 || ramp === 0 ? 1 : (index + 0.5) / ramp
    const fromEnd = at + tile >= side || ramp === 0 ? 1 : (length - index - 0.5) / ramp
    return Math.min(1, fromStart, fromEnd)
  })
}
