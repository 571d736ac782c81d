import { boxBlur } from '#server/engine/pictures/blur/blur.ts'
import { eachInSlices, inSlices } from '#server/engine/pictures/in-slices.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { type BytePicture, emptyPicture } from '#server/engine/pictures/picture.ts'
import { cheapestSeam } from './cheapest-seam.ts'

/** The common area of two pieces: the same pixels of the canvas and of the new piece, both RGB. */
export interface Overlap {
  readonly present: BytePicture
  readonly coming: BytePicture
  /** The side of the new piece on which the overlap is. */
  readonly side: 'left' | 'top'
}

/** Describes the overlap as lines that lead from the canvas into the new piece. */
const linesOf = ({ present: { width, height }, side }: Overlap) =>
  side === 'left'
    ? { lines: height, length: width, lineStride: width, stride: 1 }
    : { lines: width, length: height, lineStride: 1, stride: width }

/** Makes a mask from the weight of the canvas (0 to 255) at each position of each line. */
const maskOf = async (
  overlap: Overlap,
  shareAt: (line: number, position: number) => number,
): Promise<BytePicture> => {
  const { lines, length, lineStride, stride } = linesOf(overlap)
  const mask = emptyPicture('L', overlap.present.width, overlap.present.height)
  await eachInSlices(lines, length, (line) => {
    for (let position = 0; position < length; position++) {
      mask.data[line * lineStride + position * stride] = shareAt(line, position)
    }
  })
  return mask
}

/** Makes a linear ramp of `amount` pixels in the middle of the overlap. */
export const linearMask = (overlap: Overlap, amount: number): Promise<BytePicture> => {
  const start = Math.floor(linesOf(overlap).length / 2) - Math.floor(amount / 2)
  const shareAt = (_line: number, position: number) => {
    if (position < start) return 255
    if (position >= start + amount) return 0
    return amount === 1 ? 255 : Math.round(255 * (1 - (position - start) / (amount - 1)))
  }
  return maskOf(overlap, shareAt)
}

/** Returns twice the slope of a line of values. At the ends, the slope of the last step. */
const doubleSlope = (
  values: Int16Array,
  start: number,
  stride: number,
  at: number,
  last: number,
) => {
  if (last === 0) return 0
  const before = Math.max(0, at - 1)
  const after = Math.min(last, at + 1)
  const rise = (values[start + after * stride] ?? 0) - (values[start + before * stride] ?? 0)
  return after - before === 2 ? rise : rise * 2
}

/** Returns the gray values of the new piece minus those of the canvas. */
const grayDifference = async ({ present, coming }: Overlap) => {
  const { data } = await toMode(present, 'L')
  const lighter = await toMode(coming, 'L')
  const difference = new Int16Array(data.length)
  await inSlices(data.length, 1, (from, to) => {
    for (let at = from; at < to; at++) difference[at] = (lighter.data[at] ?? 0) - (data[at] ?? 0)
  })
  return difference
}

/**
 * Makes a mask with a cut where the difference of the two pieces is most even and therefore least visible. The cut is
 * blurred over `amount` pixels, or one less so that the blur is symmetric. If there is room, the cut keeps a distance
 * of half of `amount` from the ends of the overlap.
 */
export const seamMask = async (overlap: Overlap, amount: number): Promise<BytePicture> => {
  const { lines, length, lineStride, stride } = linesOf(overlap)
  const difference = await grayDifference(overlap)
  const first = Math.min(Math.ceil(amount / 2), Math.floor(length / 2))
  const last = Math.max(first, length - 1 - Math.ceil(amount / 2))
  const seam = await cheapestSeam(
    { lines, first, last },
    (line, at) =>
      Math.abs(doubleSlope(difference, line * lineStride, stride, at, length - 1)) +
      Math.abs(doubleSlope(difference, at * stride, lineStride, line, lines - 1)),
  )
  const shareAt = (line: number, position: number) => (position < (seam[line] ?? 0) ? 255 : 0)
  const cut = await maskOf(overlap, shareAt)
  return boxBlur(cut, Math.max(0, Math.floor((amount - 1) / 2)))
}
