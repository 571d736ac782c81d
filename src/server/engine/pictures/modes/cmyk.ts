import { clip8, div255, type PixelLoop } from './pixel-loop.ts'

/** Inks as what is missing from white; no black ink, as Pillow does it. */
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

/** Grey is black ink alone. */
const greyToCmyk: PixelLoop = (source, target, from, to) => {
  for (let pixel = from; pixel < to; pixel++) target[pixel * 4 + 3] = 255 - (source[pixel] ?? 0)
}

/** Between inks and RGB. */
export const cmykLoops: Readonly<Record<string, PixelLoop>> = {
  'L>CMYK': greyToCmyk,
  'RGB>CMYK': toCmyk,
  'CMYK>RGB': toRgb,
}
