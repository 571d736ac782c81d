import type { ResampleFilter } from './filters.ts'

/** Fractional bits of integer weights, as in Pillow. */
export const WEIGHT_BITS = 22

/** The source pixels and weights of each pixel of a resized line. */
export interface Taps {
  /** For each resized pixel: the first source pixel and the number of source pixels. */
  readonly first: Int32Array
  readonly count: Int32Array
  /** `stride` entries for each resized pixel. Weights add up to 1, or to 2 ** 22 for bytes. */
  readonly weights: Int32Array | Float64Array
  readonly stride: number
}

const toFixed = (weight: number): number =>
  Math.trunc(weight * 2 ** WEIGHT_BITS + (weight < 0 ? -0.5 : 0.5))

/**
 * Computes Pillow's weights along one axis. Shrinking widens the filter so that every pixel counts.
 *
 * @param isFixed - True for integer weights, which bytes use.
 */
export const tapsOf = (
  filter: ResampleFilter,
  fromLength: number,
  toLength: number,
  isFixed: boolean,
): Taps => {
  const scale = fromLength / toLength
  const widening = Math.max(1, scale)
  const support = filter.support * widening
  const stride = Math.ceil(support) * 2 + 1
  const first = new Int32Array(toLength)
  const count = new Int32Array(toLength)
  const weights = new (isFixed ? Int32Array : Float64Array)(toLength * stride)
  for (let index = 0; index < toLength; index++) {
    const center = (index + 0.5) * scale
    const start = Math.max(0, Math.trunc(center - support + 0.5))
    const end = Math.min(fromLength, Math.trunc(center + support + 0.5))
    const raw = Array.from({ length: end - start }, (_, tap) =>
      filter.weight((start + tap - center + 0.5) * (1 / widening)),
    )
    const sum = raw.reduce((total, weight) => total + weight, 0)
    first[index] = start
    count[index] = raw.length
    weights.set(
      raw.map((weight) => (isFixed ? toFixed(weight / sum) : weight / sum)),
      index * stride,
    )
  }
  return { first, count, weights, stride }
}
