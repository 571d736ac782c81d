import { eachInSlices, inSlices } from './in-slices.ts'
import type { BytePicture } from './picture.ts'

/** Returns the vertical distance to the nearest black pixel, or Infinity in a column without one. */
const distancesInColumns = async ({ width, height, data }: BytePicture): Promise<Float32Array> => {
  const distances = new Float32Array(width * height)
  const above = new Float32Array(width).fill(Number.POSITIVE_INFINITY)
  await inSlices(height, width, (from, to) => {
    for (let at = from * width; at < to * width; at++) {
      const x = at % width
      above[x] = data[at] === 0 ? 0 : (above[x] ?? 0) + 1
      distances[at] = above[x] ?? 0
    }
  })
  await eachInSlices(height, width, (row) => {
    const end = (height - row) * width
    for (let at = end - width; at < Math.min(end, distances.length - width); at++) {
      distances[at] = Math.min(distances[at] ?? 0, (distances[at + width] ?? 0) + 1)
    }
  })
  return distances
}

/**
 * Converts the vertical distances of a row to distances in the plane. Each column defines a parabola, and their lower
 * envelope is the squared distance. `hull` lists the columns of the envelope from left to right.
 */
const rowTransform = (width: number) => {
  const heights = new Float64Array(width)
  const hull = new Int32Array(width)
  /** Start of each parabola's interval on the envelope. */
  const starts = new Float64Array(width)

  const crossing = (left: number, right: number): number =>
    ((heights[right] ?? 0) + right * right - (heights[left] ?? 0) - left * left) /
    (2 * (right - left))

  return (row: Float32Array): void => {
    let count = 0
    for (let x = 0; x < width; x++) {
      heights[x] = (row[x] ?? 0) ** 2
      if (heights[x] === Number.POSITIVE_INFINITY) continue
      while (count > 0 && crossing(hull[count - 1] ?? 0, x) <= (starts[count - 1] ?? 0)) count -= 1
      starts[count] = count === 0 ? Number.NEGATIVE_INFINITY : crossing(hull[count - 1] ?? 0, x)
      hull[count] = x
      count += 1
    }
    if (count === 0) return
    for (let x = 0, lowest = 0; x < width; x++) {
      while (lowest + 1 < count && (starts[lowest + 1] ?? 0) < x) lowest += 1
      const center = hull[lowest] ?? 0
      row[x] = Math.sqrt((x - center) ** 2 + (heights[center] ?? 0))
    }
  }
}

/**
 * Returns the distance of each pixel from the nearest pixel with value 0, in pixels. Infinity if there is none. Exact
 * within single precision (P. Felzenszwalb and D. Huttenlocher, "Distance transforms of sampled functions", 2012).
 *
 * @param mask - `L`.
 */
export const distancesToBlack = async (mask: BytePicture): Promise<Float32Array> => {
  const { width, height } = mask
  const distances = await distancesInColumns(mask)
  const transform = rowTransform(width)
  await eachInSlices(height, width * 2, (row) => {
    transform(distances.subarray(row * width, (row + 1) * width))
  })
  return distances
}
