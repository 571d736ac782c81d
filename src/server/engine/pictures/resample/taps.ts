import type { ResampleFilter } from './filters.ts'

/** Bits behind the point of the weights of bytes, as many as Pillow takes. */
export const WEIGHT_BITS = 22

/** Which pixels of a line go into each pixel of the resized line, and with which weight. */
export interface Taps {
  /** Per resized pixel: the first pixel that goes in, and how many. */
  readonly first: Int32Array
  readonly count: Int32Array
  /** Weights, `stride` places for each resized pixel. They add up to 1, or to 2 ** 22 for bytes. */
  readonly weights: Int32Array | Float64Array
  readonly stride: number
}

const toFixed = (weight: number): number =>
  Math.trunc(weight * 2 ** WEIGHT_BITS + (weight < 0 ? -0.5 : 0.5))

/**
 * Pillow's weights of one direction. Shrinking widens the filter so that every pixel counts.
 *
 * @param isFixed - Whether the weights are whole numbers, as for bytes.
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
    const centre = (index + 0.5) * scale
    const start = Math.max(0, Math.trunc(centre - support + 0.5))
    const end = Math.min(fromLength, Math.trunc(centre + support + 0.5))
    const raw = Array.from({ length: end - start }, (_, tap) =>
      filter.weight((start + tap - centre + 0.5) * (1 / widening)),
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
