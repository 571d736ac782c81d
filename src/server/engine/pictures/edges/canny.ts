import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { type BytePicture, emptyPicture } from '#server/engine/pictures/picture.ts'
import { type Gradients, gradientsOf, stepsOf } from './gradients.ts'

/** Strengths from which a pixel is part of an edge: `low` where it continues one, `high` by itself. */
export interface Thresholds {
  readonly low: number
  readonly high: number
}

const NONE = 0
const WEAK = 128
const EDGE = 255

/**
 * Keeps what is stronger than its two neighbours along the gradient. Of two that are equal in a row or a
 * column the first stays, of two across the corner neither, as OpenCV has it.
 *
 * @returns How many pixels may be part of an edge; they are `WEAK` in `marks`, the strong ones `EDGE`.
 */
const markRidges = async (
  { strength, direction }: Gradients,
  marks: BytePicture,
  { low, high }: Thresholds,
  signal: AbortSignal,
): Promise<number> => {
  const { width, height, data } = marks
  let count = 0
  const strengthAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (strength[y * width + x] ?? 0)
  await inSlices(height, width, signal, (from, to) => {
    for (let y = from; y < to; y++) {
      for (let x = 0; x < width; x++) {
        const pixel = y * width + x
        const here = strength[pixel] ?? 0
        if (here <= low) continue
        const [stepX, stepY] = stepsOf[direction[pixel] ?? 0] ?? [0, 0]
        const behind = strengthAt(x - stepX, y - stepY)
        const isRidge = here > strengthAt(x + stepX, y + stepY) && here >= behind
        if (!isRidge || (here === behind && stepX !== 0 && stepY !== 0)) continue
        data[pixel] = here > high ? EDGE : WEAK
        count += 1
      }
    }
  })
  return count
}

/** Makes an edge of what is weak but touches one, also across a corner, and drops the rest. */
const followEdges = async (marks: BytePicture, count: number, signal: AbortSignal) => {
  const { width, height, data } = marks
  const reached = new Int32Array(count)
  let reachedCount = 0
  await inSlices(data.length, 0.5, signal, (from, to) => {
    for (let pixel = from; pixel < to; pixel++) {
      if (data[pixel] === EDGE) reached[reachedCount++] = pixel
    }
  })
  const lookAround = (pixel: number) => {
    const left = pixel % width
    const top = (pixel - left) / width
    for (let y = Math.max(0, top - 1); y <= Math.min(height - 1, top + 1); y++) {
      for (let x = Math.max(0, left - 1); x <= Math.min(width - 1, left + 1); x++) {
        if (data[y * width + x] !== WEAK) continue
        data[y * width + x] = EDGE
        reached[reachedCount++] = y * width + x
      }
    }
  }
  // None is reached twice, so all that can be reached have a place; those that are not come last.
  await inSlices(count, 8, signal, (from, to) => {
    for (let at = from; at < Math.min(to, reachedCount); at++) lookAround(reached[at] ?? 0)
  })
  await inSlices(data.length, 0.5, signal, (from, to) => {
    for (let pixel = from; pixel < to; pixel++) if (data[pixel] === WEAK) data[pixel] = NONE
  })
}

/**
 * The edges of a picture, white on black, a pixel wide (J. Canny, "A computational approach to edge
 * detection", 1986), in the steps and roundings of OpenCV's `Canny` with a 3 x 3 Sobel and the L1 norm.
 *
 * @param thresholds - In either order.
 * @returns `L`.
 */
export const canny = async (
  picture: BytePicture,
  thresholds: Thresholds,
  signal: AbortSignal,
): Promise<BytePicture> => {
  const low = Math.min(thresholds.low, thresholds.high)
  const high = Math.max(thresholds.low, thresholds.high)
  const marks = emptyPicture('L', picture.width, picture.height)
  const gradients = await gradientsOf(picture, signal)
  const count = await markRidges(gradients, marks, { low, high }, signal)
  await followEdges(marks, count, signal)
  return marks
}
