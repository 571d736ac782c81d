import { eachInSlices, inSlices } from '#server/engine/pictures/in-slices.ts'
import { type BytePicture, bandsOf, emptyPicture } from '#server/engine/pictures/picture.ts'

/** Minimum strengths of edge pixels: `low` for a pixel that continues an edge, `high` for any pixel. */
export interface Thresholds {
  readonly low: number
  readonly high: number
}

const NONE = 0
const WEAK = 128
const EDGE = 255

/**
 * Marks pixels that are stronger than both neighbors along the gradient. Of two equal pixels in a row or column, the
 * first one remains. Of two equal diagonal pixels, neither does, as in OpenCV.
 *
 * @returns The number of marked pixels: `WEAK` candidates and strong `EDGE` pixels in `marks`.
 */
const markRidges = async (
  { strength, direction }: Gradients,
  marks: BytePicture,
  { low, high }: Thresholds,
): Promise<number> => {
  const { width, height, data } = marks
  let count = 0
  const strengthAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (strength[y * width + x] ?? 0)
  await eachInSlices(height, width, (y) => {
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
  })
  return count
}

/** Converts weak pixels that touch an edge, also diagonally, to edge pixels, and drops the others. */
const followEdges = async (marks: BytePicture, count: number) => {
  const { width, height, data } = marks
  const reached = new Int32Array(count)
  let reachedCount = 0
  await inSlices(data.length, 0.5, (from, to) => {
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
  // Each pixel is reached at most once, so `count` entries suffice. Unused entries are at the end.
  await inSlices(count, 8, (from, to) => {
    for (let at = from; at < Math.min(to, reachedCount); at++) lookAround(reached[at] ?? 0)
  })
  await inSlices(data.length, 0.5, (from, to) => {
    for (let pixel = from; pixel < to; pixel++) if (data[pixel] === WEAK) data[pixel] = NONE
  })
}

/**
 * Detects edges of one pixel width, white on black (J. Canny, "A computational approach to edge detection", 1986),
 * with the steps and rounding of OpenCV's `Canny` with a 3 x 3 Sobel filter and the L1 norm.
 *
 * @param thresholds - In either order.
 * @returns `L`.
 */
export const canny = async (picture: BytePicture, thresholds: Thresholds): Promise<BytePicture> => {
  const low = Math.min(thresholds.low, thresholds.high)
  const high = Math.max(thresholds.low, thresholds.high)
  const marks = emptyPicture('L', picture.width, picture.height)
  const gradients = await gradientsOf(picture)
  const count = await markRidges(gradients, marks, { low, high })
  await followEdges(marks, count)
  return marks
}

const ROW = 0
const COLUMN = 1
const FALLING = 2
const RISING = 3

/** The step from a pixel to one of its two neighbors in each direction. The other neighbor is opposite. */
const stepsOf: readonly (readonly [x: number, y: number])[] = [
  [-1, 0],
  [0, -1],
  [-1, -1],
  [1, -1],
]

/** The steepest gradient at each pixel, from the band with the largest change. */
interface Gradients {
  /** |dx| + |dy| of the 3 x 3 Sobel filter: at most 2040. */
  readonly strength: Int16Array
  /** An index of `stepsOf`. */
  readonly direction: Uint8Array
}

/** tan 22.5 degrees with 15 fractional bits, as in OpenCV. tan 67.5 degrees is 2 more. */
const TAN_22 = 13_573

const directionOf = (dx: number, dy: number): number => {
  const height = Math.abs(dy) * 2 ** 15
  const low = Math.abs(dx) * TAN_22
  if (height < low) return ROW
  if (height > low + Math.abs(dx) * 2 ** 16) return COLUMN
  return (dx ^ dy) < 0 ? RISING : FALLING
}

/** Computes Sobel gradients. Border pixels are repeated. If bands tie, the last one wins. */
const gradientsOf = async ({ mode, width, height, data }: BytePicture): Promise<Gradients> => {
  const bands = bandsOf[mode]
  const strength = new Int16Array(width * height)
  const direction = new Uint8Array(width * height)

  const lookAt = (x: number, above: number, row: number, below: number) => {
    const left = Math.max(0, x - 1) * bands
    const center = x * bands
    const right = Math.min(width - 1, x + 1) * bands
    let most = -1
    let mostDx = 0
    let mostDy = 0
    for (let band = bands - 1; band >= 0; band--) {
      const at = (start: number, column: number) => data[start + column + band] ?? 0
      const leftUp = at(above, left)
      const rightUp = at(above, right)
      const leftDown = at(below, left)
      const rightDown = at(below, right)
      const dx = rightUp + 2 * at(row, right) + rightDown - leftUp - 2 * at(row, left) - leftDown
      const dy =
        leftDown + 2 * at(below, center) + rightDown - leftUp - 2 * at(above, center) - rightUp
      const sum = Math.abs(dx) + Math.abs(dy)
      if (sum <= most) continue
      most = sum
      mostDx = dx
      mostDy = dy
    }
    const pixel = row / bands + x
    strength[pixel] = most
    direction[pixel] = directionOf(mostDx, mostDy)
  }

  const rowAt = (y: number) => Math.min(height - 1, Math.max(0, y)) * width * bands
  await eachInSlices(height, width * 2, (y) => {
    const above = rowAt(y - 1)
    const row = rowAt(y)
    const below = rowAt(y + 1)
    for (let x = 0; x < width; x++) lookAt(x, above, row, below)
  })
  return { strength, direction }
}
