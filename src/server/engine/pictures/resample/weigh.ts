import type { Bands } from '#server/engine/pictures/modes/pixel-loop.ts'
import type { Picture } from '#server/engine/pictures/picture.ts'
import { WEIGHT_BITS } from './taps.ts'

/** The weighted sum of `count` bands that lie `step` apart, rounded to what a band holds. */
export type Weigh = (
  source: Bands,
  start: number,
  step: number,
  weights: Int32Array | Float64Array,
  firstWeight: number,
  count: number,
) => number

const HALF = 2 ** (WEIGHT_BITS - 1)

/** In 32-bit whole numbers: several times as fast as the general one. */
const weighBytes: Weigh = (source, start, step, weights, firstWeight, count) => {
  let sum = HALF
  let at = start
  for (let tap = firstWeight; tap < firstWeight + count; tap++) {
    sum = (sum + Math.imul(source[at] ?? 0, weights[tap] ?? 0)) | 0
    at += step
  }
  const value = sum >> WEIGHT_BITS
  return value < 0 ? 0 : Math.min(value, 255)
}

const weighNumbers: Weigh = (source, start, step, weights, firstWeight, count) => {
  let sum = 0
  for (let tap = 0; tap < count; tap++) {
    sum += (source[start + tap * step] ?? 0) * (weights[firstWeight + tap] ?? 0)
  }
  return sum
}

const weighIntegers: Weigh = (...bands) => Math.round(weighNumbers(...bands))

/** How the bands of this mode are added up. */
export const weighFor = ({ mode }: Picture): Weigh =>
  mode === 'I' ? weighIntegers : mode === 'F' ? weighNumbers : weighBytes
