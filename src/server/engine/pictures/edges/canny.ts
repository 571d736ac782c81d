import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { type BytePicture, bandsOf, emptyPicture } from '#server/engine/pictures/picture.ts'

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

const ROW = 0
const COLUMN = 1
const FALLING = 2
const RISING = 3

/** Where each direction leads from a pixel, to one of its two sides: x and y. The other lies opposite. */
const stepsOf: readonly (readonly [x: number, y: number])[] = [
  [-1, 0],
  [0, -1],
  [-1, -1],
  [1, -1],
]

/** The steepest change at each pixel, of whichever band changes most. */
interface Gradients {
  /** |dx| + |dy| of Sobel's 3 x 3: at most 2040. */
  readonly strength: Int16Array
  /** An index of `stepsOf`. */
  readonly direction: Uint8Array
}

/** tan 22.5 degrees with 15 bits behind the point, as OpenCV has it; tan 67.5 degrees is 2 more. */
const TAN_22 = 13_573

const directionOf = (dx: number, dy: number): number => {
  const height = Math.abs(dy) * 2 ** 15
  const low = Math.abs(dx) * TAN_22
  if (height < low) return ROW
  if (height > low + Math.abs(dx) * 2 ** 16) return COLUMN
  return (dx ^ dy) < 0 ? RISING : FALLING
}

/** Sobel's gradients; beyond the edges the picture goes on as it ends. The last band counts where two tie. */
const gradientsOf = async (
  { mode, width, height, data }: BytePicture,
  signal: AbortSignal,
): Promise<Gradients> => {
  const bands = bandsOf[mode]
  const strength = new Int16Array(width * height)
  const direction = new Uint8Array(width * height)

  const lookAt = (x: number, above: number, row: number, below: number) => {
    const left = Math.max(0, x - 1) * bands
    const centre = x * bands
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
        leftDown + 2 * at(below, centre) + rightDown - leftUp - 2 * at(above, centre) - rightUp
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
  await inSlices(height, width * 2, signal, (from, to) => {
    for (let y = from; y < to; y++) {
      const above = rowAt(y - 1)
      const row = rowAt(y)
      const below = rowAt(y + 1)
      for (let x = 0; x < width; x++) lookAt(x, above, row, below)
    }
  })
  return { strength, direction }
}
