import { type Bands, clip8, type PixelLoop } from './pixel-loop.ts'

/** ITU-R 601-2 luma in 16-bit fixed point, rounded. */
export const lumaOf = (red: number, green: number, blue: number): number =>
  (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16

const at = (bands: Bands, index: number): number => bands[index] ?? 0

const colourToGrey =
  (sourceBands: number, targetBands: number): PixelLoop =>
  (source, target, from, to) => {
    for (let pixel = from; pixel < to; pixel++) {
      const s = pixel * sourceBands
      target[pixel * targetBands] = lumaOf(at(source, s), at(source, s + 1), at(source, s + 2))
      if (targetBands === 2) target[pixel * 2 + 1] = sourceBands === 4 ? at(source, s + 3) : 255
    }
  }

const greyToColour =
  (sourceBands: number, targetBands: number): PixelLoop =>
  (source, target, from, to) => {
    for (let pixel = from; pixel < to; pixel++) {
      const t = pixel * targetBands
      const grey = at(source, pixel * sourceBands)
      target[t] = grey
      target[t + 1] = grey
      target[t + 2] = grey
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

const copyColours =
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

/** The luma before it is rounded to a byte, in Pillow's weights for floats. */
const toFloatGrey: PixelLoop = (source, target, from, to) => {
  for (let pixel = from; pixel < to; pixel++) {
    const s = pixel * 3
    const sum = at(source, s) * 299 + at(source, s + 1) * 587 + at(source, s + 2) * 114
    target[pixel] = sum / 1000
  }
}

/** Between grey, colour and their alphas. */
export const greyLoops: Readonly<Record<string, PixelLoop>> = {
  'L>LA': firstBand(1, 2),
  'L>RGB': greyToColour(1, 3),
  'L>RGBA': greyToColour(1, 4),
  'L>I': firstBand(1, 1),
  'L>F': firstBand(1, 1),
  'LA>L': firstBand(2, 1),
  'LA>RGB': greyToColour(2, 3),
  'LA>RGBA': greyToColour(2, 4),
  'RGB>L': colourToGrey(3, 1),
  'RGB>LA': colourToGrey(3, 2),
  'RGB>RGBA': copyColours(3, 4),
  'RGB>I': colourToGrey(3, 1),
  'RGB>F': toFloatGrey,
  'RGBA>L': colourToGrey(4, 1),
  'RGBA>LA': colourToGrey(4, 2),
  'RGBA>RGB': copyColours(4, 3),
  'I>L': clipToByte,
  'I>F': firstBand(1, 1),
  'F>L': clipToByte,
  'F>I': toInteger,
}
