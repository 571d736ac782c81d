import { inSlices } from './in-slices.ts'
import type { BytePicture } from './picture.ts'

/** How far up or down the next black pixel lies; Infinity in a column that has none. */
const distancesInColumns = async (
  { width, height, data }: BytePicture,
  signal: AbortSignal,
): Promise<Float32Array> => {
  const distances = new Float32Array(width * height)
  const above = new Float32Array(width).fill(Number.POSITIVE_INFINITY)
  await inSlices(height, width, signal, (from, to) => {
    for (let at = from * width; at < to * width; at++) {
      const x = at % width
      above[x] = data[at] === 0 ? 0 : (above[x] ?? 0) + 1
      distances[at] = above[x] ?? 0
    }
  })
  await inSlices(height, width, signal, (from, to) => {
    for (let row = from; row < to; row++) {
      const end = (height - row) * width
      for (let at = end - width; at < Math.min(end, distances.length - width); at++) {
        distances[at] = Math.min(distances[at] ?? 0, (distances[at + width] ?? 0) + 1)
      }
    }
  })
  return distances
}

/**
 * Turns distances within columns into distances within the plane, a row at a time: the lowest of the parabolas
 * that stand in each column. Those that are lowest somewhere are kept from left to right.
 */
const rowTransform = (width: number) => {
  const heights = new Float64Array(width)
  const kept = new Int32Array(width)
  /** Where each of the kept ones begins to be the lowest. */
  const starts = new Float64Array(width)

  const crossing = (left: number, right: number): number =>
    ((heights[right] ?? 0) + right * right - (heights[left] ?? 0) - left * left) /
    (2 * (right - left))

  return (row: Float32Array): void => {
    let count = 0
    for (let x = 0; x < width; x++) {
      heights[x] = (row[x] ?? 0) ** 2
      if (heights[x] === Number.POSITIVE_INFINITY) continue
      while (count > 0 && crossing(kept[count - 1] ?? 0, x) <= (starts[count - 1] ?? 0)) count -= 1
      starts[count] = count === 0 ? Number.NEGATIVE_INFINITY : crossing(kept[count - 1] ?? 0, x)
      kept[count] = x
      count += 1
    }
    if (count === 0) return
    for (let x = 0, lowest = 0; x < width; x++) {
      while (lowest + 1 < count && (starts[lowest + 1] ?? 0) < x) lowest += 1
      const centre = kept[lowest] ?? 0
      row[x] = Math.sqrt((x - centre) ** 2 + (heights[centre] ?? 0))
    }
  }
}

/**
 * How far each pixel is from the nearest that is 0, in pixels; Infinity where there is none. Exact but for
 * single precision (P. Felzenszwalb and D. Huttenlocher, "Distance transforms of sampled functions", 2012).
 *
 * @param mask - `L`.
 */
export const distancesToBlack = async (
  mask: BytePicture,
  signal: AbortSignal,
): Promise<Float32Array> => {
  const { width, height } = mask
  const distances = await distancesInColumns(mask, signal)
  const transform = rowTransform(width)
  await inSlices(height, width * 2, signal, (from, to) => {
    for (let row = from; row < to; row++) {
      transform(distances.subarray(row * width, (row + 1) * width))
    }
  })
  return distances
}
