import { inSlices } from '#server/engine/pictures/in-slices.ts'
import {
  type ByteMode,
  type BytePicture,
  emptyPicture,
  isBytePicture,
  type Picture,
  type PictureMode,
} from '#server/engine/pictures/picture.ts'
import { hsvLoops } from './hsv.ts'
import { labLoops } from './lab.ts'
import { type Bands, clip8, div255, type PixelLoop } from './pixel-loop.ts'
import { ycbcrLoops } from './ycbcr.ts'

/** ITU-R 601-2 luma in 16-bit fixed point, rounded. */
const lumaOf = (red: number, green: number, blue: number): number =>
  (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16

const at = (bands: Bands, index: number): number => bands[index] ?? 0

const colorToGray =
  (sourceBands: number, targetBands: number): PixelLoop =>
  (source, target, from, to) => {
    for (let pixel = from; pixel < to; pixel++) {
      const s = pixel * sourceBands
      target[pixel * targetBands] = lumaOf(at(source, s), at(source, s + 1), at(source, s + 2))
      if (targetBands === 2) target[pixel * 2 + 1] = sourceBands === 4 ? at(source, s + 3) : 255
    }
  }

const grayToColor =
  (sourceBands: number, targetBands: number): PixelLoop =>
  (source, target, from, to) => {
    for (let pixel = from; pixel < to; pixel++) {
      const t = pixel * targetBands
      const gray = at(source, pixel * sourceBands)
      target[t] = gray
      target[t + 1] = gray
      target[t + 2] = gray
      if (targetBands === 4) target[t + 3] = sourceBands === 2 ? at(source, pixel * 2 + 1) : 255
    }
  }

const firstBand =
  (sourceBands: number, targetBands: number): PixelLoop =>
  (source, target, from, to) => {
    for (let pixel = from; pixel < to; pixel++) {
      target[pixel * targetBands] = at(source, pixel * sourceBands)
      if (targetBands === 2) target[pixel * 2 + 1] = 255
    }
  }

const copyColors =
  (sourceBands: number, targetBands: number): PixelLoop =>
  (source, target, from, to) => {
    for (let pixel = from; pixel < to; pixel++) {
      const s = pixel * sourceBands
      const t = pixel * targetBands
      target[t] = at(source, s)
      target[t + 1] = at(source, s + 1)
      target[t + 2] = at(source, s + 2)
      if (targetBands === 4) target[t + 3] = 255
    }
  }

const clipToByte: PixelLoop = (source, target, from, to) => {
  for (let pixel = from; pixel < to; pixel++) target[pixel] = clip8(Math.trunc(at(source, pixel)))
}

const toInteger: PixelLoop = (source, target, from, to) => {
  for (let pixel = from; pixel < to; pixel++) target[pixel] = Math.trunc(at(source, pixel))
}

/** Computes luma with Pillow's weights for floats, without rounding. */
const toFloatGray: PixelLoop = (source, target, from, to) => {
  for (let pixel = from; pixel < to; pixel++) {
    const s = pixel * 3
    const sum = at(source, s) * 299 + at(source, s + 1) * 587 + at(source, s + 2) * 114
    target[pixel] = sum / 1000
  }
}

/** Conversions between grayscale and color, with and without alpha. */
const grayLoops: Readonly<Record<string, PixelLoop>> = {
  'L>LA': firstBand(1, 2),
  'L>RGB': grayToColor(1, 3),
  'L>RGBA': grayToColor(1, 4),
  'L>I': firstBand(1, 1),
  'L>F': firstBand(1, 1),
  'LA>L': firstBand(2, 1),
  'LA>RGB': grayToColor(2, 3),
  'LA>RGBA': grayToColor(2, 4),
  'RGB>L': colorToGray(3, 1),
  'RGB>LA': colorToGray(3, 2),
  'RGB>RGBA': copyColors(3, 4),
  'RGB>I': colorToGray(3, 1),
  'RGB>F': toFloatGray,
  'RGBA>L': colorToGray(4, 1),
  'RGBA>LA': colorToGray(4, 2),
  'RGBA>RGB': copyColors(4, 3),
  'I>L': clipToByte,
  'I>F': firstBand(1, 1),
  'F>L': clipToByte,
  'F>I': toInteger,
}

/** Inverts RGB without black ink, like Pillow. */
const toCmyk: PixelLoop = (source, target, from, to) => {
  for (let pixel = from; pixel < to; pixel++) {
    for (let band = 0; band < 3; band++) {
      target[pixel * 4 + band] = 255 - (source[pixel * 3 + band] ?? 0)
    }
    target[pixel * 4 + 3] = 0
  }
}

const toRgb: PixelLoop = (source, target, from, to) => {
  for (let pixel = from; pixel < to; pixel++) {
    const light = 255 - (source[pixel * 4 + 3] ?? 0)
    for (let band = 0; band < 3; band++) {
      target[pixel * 3 + band] = clip8(light - div255((source[pixel * 4 + band] ?? 0) * light))
    }
  }
}

/** Converts grayscale to black ink only. */
const grayToCmyk: PixelLoop = (source, target, from, to) => {
  for (let pixel = from; pixel < to; pixel++) target[pixel * 4 + 3] = 255 - (source[pixel] ?? 0)
}

/** Conversions between CMYK and RGB. */
const cmykLoops: Readonly<Record<string, PixelLoop>> = {
  'L>CMYK': grayToCmyk,
  'RGB>CMYK': toCmyk,
  'CMYK>RGB': toRgb,
}

const loops: Readonly<Record<string, PixelLoop>> = {
  ...grayLoops,
  ...cmykLoops,
  ...hsvLoops,
  ...ycbcrLoops,
  ...labLoops,
}

/** Returns the intermediate mode of a conversion without a direct loop. */
const detour = (mode: PictureMode): PictureMode => (['LA', 'I', 'F'].includes(mode) ? 'L' : 'RGB')

/**
 * Converts a picture to another mode with Pillow's formulas. Returns the picture itself if it already has the mode.
 * Alpha is dropped or added as opaque, without blending. 16-bit grayscale is clipped to 255 if it becomes a byte.
 *
 * @throws As `inSlices`.
 */
export function toMode(picture: Picture, mode: ByteMode): Promise<BytePicture>
export function toMode(picture: Picture, mode: PictureMode): Promise<Picture>
export async function toMode(picture: Picture, mode: PictureMode): Promise<Picture> {
  if (picture.mode === mode) return picture
  const loop = loops[`${picture.mode}>${mode}`]
  if (loop === undefined) {
    return toMode(await toMode(picture, detour(picture.mode)), mode)
  }
  const { width, height } = picture
  const converted = emptyPicture(mode, width, height)
  await inSlices(width * height, 1, (from, to) => loop(picture.data, converted.data, from, to))
  return converted
}

/** Returns the picture itself if its bands are bytes, otherwise its conversion to `L`. */
export const bytesOf = async (picture: Picture): Promise<BytePicture> =>
  isBytePicture(picture) ? picture : toMode(picture, 'L')
