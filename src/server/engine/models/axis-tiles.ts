export interface AxisTile {
  /** Start of the tile, in pixels of the picture. */
  readonly at: number
  /** Weights of the result pixels. The weights of all tiles add up to 1 for each pixel. */
  readonly weights: Float32Array
}

/**
 * Divides an axis of a picture into tiles. Overlapping tiles are cross-faded.
 *
 * @param side - Length of the axis, in pixels.
 * @param tile - Length of a tile, in pixels. It may exceed `side`.
 * @param overlap - Minimum overlap of adjacent tiles, in pixels. At most half of `tile`.
 * @param factor - Pixels of the result per pixel of the picture.
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

/** Returns weights that rise at the start of the tile and fall at its end, except at the edges of the picture. */
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
