import { clip8, type PixelLoop } from './pixel-loop.ts'

/** Fixed-point terms with 6 fractional bits. Like Pillow's tables, adds 0.5 and truncates toward zero, also below 0. */
const term = (factor: number, offset = 0) =>
  Int32Array.from({ length: 256 }, (_, value) => Math.trunc(factor * (value - offset) * 64 + 0.5))

const luma = [term(0.299), term(0.587), term(0.114)] as const
const blueness = [term(-0.16874), term(-0.33126), term(0.5)] as const
const redness = [term(0.5), term(-0.41869), term(-0.08131)] as const

const redOfCr = term(1.402, 128)
const greenOfCb = term(-0.34414, 128)
const greenOfCr = term(-0.71414, 128)
const blueOfCb = term(1.772, 128)

const at = (table: Int32Array, index: number): number => table[index] ?? 0

const toYcbcr: PixelLoop = (source, target, from, to) => {
  for (let pixel = from * 3; pixel < to * 3; pixel += 3) {
    const red = source[pixel] ?? 0
    const green = source[pixel + 1] ?? 0
    const blue = source[pixel + 2] ?? 0
    const mix = (terms: readonly [Int32Array, Int32Array, Int32Array]) =>
      (at(terms[0], red) + at(terms[1], green) + at(terms[2], blue)) >> 6
    target[pixel] = mix(luma)
    target[pixel + 1] = mix(blueness) + 128
    target[pixel + 2] = mix(redness) + 128
  }
}

const toRgb: PixelLoop = (source, target, from, to) => {
  for (let pixel = from * 3; pixel < to * 3; pixel += 3) {
    const y = source[pixel] ?? 0
    const cb = source[pixel + 1] ?? 0
    const cr = source[pixel + 2] ?? 0
    target[pixel] = clip8(y + (at(redOfCr, cr) >> 6))
    target[pixel + 1] = clip8(y + ((at(greenOfCb, cb) + at(greenOfCr, cr)) >> 6))
    target[pixel + 2] = clip8(y + (at(blueOfCb, cb) >> 6))
  }
}

const grayToYcbcr: PixelLoop = (source, target, from, to) => {
  for (let pixel = from; pixel < to; pixel++) {
    target[pixel * 3] = source[pixel] ?? 0
    target[pixel * 3 + 1] = 128
    target[pixel * 3 + 2] = 128
  }
}

/** Conversions between JPEG's YCbCr and RGB, and from grayscale. */
export const ycbcrLoops: Readonly<Record<string, PixelLoop>> = {
  'L>YCbCr': grayToYcbcr,
  'RGB>YCbCr': toYcbcr,
  'YCbCr>RGB': toRgb,
}
