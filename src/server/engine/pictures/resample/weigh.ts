import { bandsOf, isBytePicture, type Picture } from '#server/engine/pictures/picture.ts'
import { type Taps, WEIGHT_BITS } from './taps.ts'

/** Writes one row of the resized picture. */
export type WeighRow = (row: number) => void

const HALF = 2 ** (WEIGHT_BITS - 1)

/** Number of rows that one loop adds up. Lanczos uses six rows when it enlarges. */
const ROWS_AT_ONCE = 6

/** Returns a view that clamps sums to 0..255. Negative weights can exceed this range. */
const clampedViewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint8ClampedArray =>
  new Uint8ClampedArray(buffer, byteOffset, byteLength)

/** Weighs neighbors in the same row. `resized` has the height of `picture` and another width. */
export const weighAlongRows = (picture: Picture, resized: Picture, taps: Taps): WeighRow => {
  const bands = bandsOf[picture.mode]
  const fromLength = picture.width * bands
  const toLength = resized.width * bands
  if (isBytePicture(picture) && isBytePicture(resized)) {
    const source = picture.data
    const target = clampedViewOf(resized.data)
    const weigh = bands >= 3 ? weighColors : weighBytes
    return (row) =>
      weigh(source, row * fromLength, target, row * toLength, resized.width, taps, bands)
  }
  const { first, count, stride } = taps
  const weigh = weighFor(picture, taps)
  return (row) => {
    for (let x = 0; x < resized.width; x++) {
      const start = row * fromLength + (first[x] ?? 0) * bands
      for (let band = 0; band < bands; band++) {
        const value = weigh(start + band, bands, x * stride, count[x] ?? 0)
        resized.data[row * toLength + x * bands + band] = value
      }
    }
  }
}

/** Weighs neighbors in the same column. `resized` has the width of `picture` and another height. */
export const weighAcrossRows = (picture: Picture, resized: Picture, taps: Taps): WeighRow => {
  const length = picture.width * bandsOf[picture.mode]
  const { first, count, weights, stride } = taps
  if (isBytePicture(picture) && isBytePicture(resized)) {
    const source = picture.data
    const target = clampedViewOf(resized.data)
    const sums = new Int32Array(length)
    return (row) => {
      const start = (first[row] ?? 0) * length
      const rows = count[row] ?? 0
      const ofRow = weights.subarray(row * stride, row * stride + rows)
      if (rows <= ROWS_AT_ONCE) weighFewRows(source, start, ofRow, target, row * length, length)
      else weighManyRows(source, start, ofRow, target, row * length, sums)
    }
  }
  const weigh = weighFor(picture, taps)
  return (row) => {
    const start = (first[row] ?? 0) * length
    for (let x = 0; x < length; x++) {
      resized.data[row * length + x] = weigh(start + x, length, row * stride, count[row] ?? 0)
    }
  }
}

type WeighBytes = (
  source: Uint8Array,
  start: number,
  target: Uint8ClampedArray,
  to: number,
  width: number,
  taps: Taps,
  bands: number,
) => void

const weighBytes: WeighBytes = (source, start, target, to, width, taps, bands) => {
  const { first, count, weights, stride } = taps
  let out = to
  for (let x = 0; x < width; x++) {
    const end = x * stride + (count[x] ?? 0)
    for (let band = 0; band < bands; band++) {
      let sum = HALF
      let at = start + (first[x] ?? 0) * bands + band
      for (let tap = x * stride; tap < end; tap++) {
        sum = (sum + Math.imul(source[at] ?? 0, weights[tap] ?? 0)) | 0
        at += bands
      }
      target[out++] = sum >> WEIGHT_BITS
    }
  }
}

/** Like `weighBytes` for three or four bands, nearly twice as fast: it reads each weight once for all of them. */
const weighColors: WeighBytes = (source, start, target, to, width, taps, bands) => {
  const { first, count, weights, stride } = taps
  let out = to
  for (let x = 0; x < width; x++) {
    const end = x * stride + (count[x] ?? 0)
    let a = HALF
    let b = HALF
    let c = HALF
    let d = HALF
    let at = start + (first[x] ?? 0) * bands
    for (let tap = x * stride; tap < end; tap++) {
      const weight = weights[tap] ?? 0
      a = (a + Math.imul(source[at] ?? 0, weight)) | 0
      b = (b + Math.imul(source[at + 1] ?? 0, weight)) | 0
      c = (c + Math.imul(source[at + 2] ?? 0, weight)) | 0
      if (bands === 4) d = (d + Math.imul(source[at + 3] ?? 0, weight)) | 0
      at += bands
    }
    target[out] = a >> WEIGHT_BITS
    target[out + 1] = b >> WEIGHT_BITS
    target[out + 2] = c >> WEIGHT_BITS
    if (bands === 4) target[out + 3] = d >> WEIGHT_BITS
    out += bands
  }
}

/** Adds up to `ROWS_AT_ONCE` rows in one loop. A loop for each row takes twice as long. */
const weighFewRows = (
  source: Uint8Array,
  start: number,
  weights: Taps['weights'],
  target: Uint8ClampedArray,
  to: number,
  length: number,
): void => {
  // A missing row weighs 0. The first row replaces it, because reads beyond the array are slow.
  const rowAt = (row: number) => (row < weights.length ? start + row * length : start)
  const [b, c, d, e, f] = [rowAt(1), rowAt(2), rowAt(3), rowAt(4), rowAt(5)]
  const [ofA = 0, ofB = 0, ofC = 0, ofD = 0, ofE = 0, ofF = 0] = weights
  for (let x = 0; x < length; x++) {
    const sum =
      HALF +
      Math.imul(source[start + x] ?? 0, ofA) +
      Math.imul(source[b + x] ?? 0, ofB) +
      Math.imul(source[c + x] ?? 0, ofC) +
      Math.imul(source[d + x] ?? 0, ofD) +
      Math.imul(source[e + x] ?? 0, ofE) +
      Math.imul(source[f + x] ?? 0, ofF)
    target[to + x] = sum >> WEIGHT_BITS
  }
}

const weighManyRows = (
  source: Uint8Array,
  start: number,
  weights: Taps['weights'],
  target: Uint8ClampedArray,
  to: number,
  sums: Int32Array,
): void => {
  sums.fill(HALF)
  for (let row = 0; row < weights.length; row++) {
    const weight = weights[row] ?? 0
    const rowStart = start + row * sums.length
    for (let x = 0; x < sums.length; x++) {
      sums[x] = (sums[x] ?? 0) + Math.imul(source[rowStart + x] ?? 0, weight)
    }
  }
  for (let x = 0; x < sums.length; x++) target[to + x] = (sums[x] ?? 0) >> WEIGHT_BITS
}

/** Adds up `count` weighted bands that are `step` apart, for `I` and `F`. */
const weighFor =
  ({ mode, data }: Picture, { weights }: Taps) =>
  (start: number, step: number, firstWeight: number, count: number): number => {
    let sum = 0
    for (let tap = 0; tap < count; tap++) {
      sum += (data[start + tap * step] ?? 0) * (weights[firstWeight + tap] ?? 0)
    }
    return mode === 'I' ? Math.round(sum) : sum
  }
