import { eachInSlices } from './in-slices.ts'
import { type BytePicture, emptyPicture } from './picture.ts'

/** Dilates a line of pixels that are `stride` apart: white within `radius` of white. */
const dilateLine = (
  source: Uint8Array,
  target: Uint8Array,
  line: { start: number; length: number; stride: number },
  radius: number,
): void => {
  const { start, length, stride } = line
  // Two passes, from left to right and back, each with the distance from the last white pixel.
  let lastWhite = Number.NEGATIVE_INFINITY
  for (let x = 0; x < length; x++) {
    if (source[start + x * stride] === 255) lastWhite = x
    target[start + x * stride] = x - lastWhite <= radius ? 255 : 0
  }
  let nextWhite = Number.POSITIVE_INFINITY
  for (let x = length - 1; x >= 0; x--) {
    if (source[start + x * stride] === 255) nextWhite = x
    if (nextWhite - x <= radius) target[start + x * stride] = 255
  }
}

/**
 * Dilates white by a square of 2 * radius + 1 pixels around each white pixel.
 *
 * @param mask - `L`, with only black and white pixels.
 */
export const dilate = async (mask: BytePicture, radius: number): Promise<BytePicture> => {
  const { width, height } = mask
  const wide = emptyPicture('L', width, height)
  const grown = emptyPicture('L', width, height)
  await eachInSlices(height, width, (y) => {
    const line = { start: y * width, length: width, stride: 1 }
    dilateLine(mask.data, wide.data, line, radius)
  })
  await eachInSlices(width, height * 2, (x) => {
    const line = { start: x, length: height, stride: width }
    dilateLine(wide.data, grown.data, line, radius)
  })
  return grown
}
