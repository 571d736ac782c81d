import { eachInSlices, inSlices } from '#server/engine/pictures/in-slices.ts'
import { type BytePicture, bandsOf } from '#server/engine/pictures/picture.ts'
import { type BoxWindow, boxBlurLine, boxWindow } from './box-line.ts'

/** Number of box passes that approximate a Gaussian, as in Pillow. */
const GAUSSIAN_PASSES = 3

/** A larger radius makes no visible difference and exceeds single precision. */
const MAX_RADIUS = 1_000_000

const { fround, min } = Math

/**
 * Returns the box that has the variance of the Gaussian after three passes (Gwosdek and others 2011, "Theoretical
 * foundations of Gaussian convolution by extended box filtering", equations 7, 11 and 14), in single precision.
 */
const gaussianBox = (radius: number): BoxWindow => {
  const variance = fround(fround(fround(radius) * fround(radius)) / GAUSSIAN_PASSES)
  const length = fround(Math.sqrt(12 * variance + 1))
  const whole = Math.floor((length - 1) / 2)
  const above = fround((2 * whole + 1) * fround(whole * (whole + 1) - fround(3 * variance)))
  const below = fround(6 * fround(variance - (whole + 1) * (whole + 1)))
  return boxWindow(fround(whole + fround(above / below)))
}

/** Blurs lines of bytes in place. The bytes of a line are `stride` apart. */
const lineBlur = (data: Uint8Array, length: number, stride: number, window: BoxWindow) => {
  let line = new Uint8Array(length)
  let blurred = new Uint8Array(length)
  return (start: number, passes: number) => {
    for (let x = 0; x < length; x++) line[x] = data[start + x * stride] ?? 0
    for (let pass = 0; pass < passes; pass++) {
      boxBlurLine(line, blurred, window)
      const done = blurred
      blurred = line
      line = done
    }
    for (let x = 0; x < length; x++) data[start + x * stride] = line[x] ?? 0
  }
}

const blur = async (
  picture: BytePicture,
  window: BoxWindow,
  passes: number,
): Promise<BytePicture> => {
  const { mode, width, height } = picture
  const bands = bandsOf[mode]
  const data = new Uint8Array(picture.data)
  const blurRow = lineBlur(data, width, bands, window)
  await eachInSlices(height, width * passes, (row) => {
    for (let band = 0; band < bands; band++) blurRow(row * width * bands + band, passes)
  })
  const blurColumn = lineBlur(data, height, width * bands, window)
  await inSlices(width, height * passes, (from, to) => {
    for (let start = from * bands; start < to * bands; start++) blurColumn(start, passes)
  })
  return { mode, width, height, data }
}

/**
 * Blurs each band like Pillow's `BoxBlur`.
 *
 * @param radius - In pixels, 0 or more, possibly fractional. 0 changes nothing.
 */
export const boxBlur = async (picture: BytePicture, radius: number): Promise<BytePicture> =>
  radius === 0 ? picture : blur(picture, boxWindow(min(radius, MAX_RADIUS)), 1)

/**
 * Blurs each band like Pillow's `GaussianBlur`.
 *
 * @param radius - The standard deviation in pixels, 0 or more. 0 changes nothing.
 */
export const gaussianBlur = async (picture: BytePicture, radius: number): Promise<BytePicture> =>
  radius === 0 ? picture : blur(picture, gaussianBox(min(radius, MAX_RADIUS)), GAUSSIAN_PASSES)
