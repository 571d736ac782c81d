/** A window of 2 * radius + 1 pixels, with a fraction of one more on each side. Whole numbers out of 2 ** 24. */
export interface BoxWindow {
  readonly radius: number
  /** Weight of each pixel inside. */
  readonly inner: number
  /** Weight of the two beside them. */
  readonly outer: number
}

const { fround, trunc } = Math

/** The window for a radius, which need not be whole, in Pillow's precision. */
export const boxWindow = (radius: number): BoxWindow => {
  const whole = trunc(radius)
  const inner = trunc(fround(2 ** 24 / fround(fround(radius) * 2 + 1)))
  return { radius: whole, inner, outer: trunc((2 ** 24 - (whole * 2 + 1) * inner) / 2) }
}

/** Averages over the window at each place of a line. What lies beyond its ends is as the end. */
export const boxBlurLine = (
  line: Uint8Array,
  blurred: Uint8Array,
  { radius, inner, outer }: BoxWindow,
): void => {
  const last = line.length - 1
  const start = line[0] ?? 0
  const end = line[last] ?? 0
  let sum = start * radius + end * Math.max(0, radius - last)
  for (let x = 0; x <= Math.min(radius, last); x++) sum += line[x] ?? 0
  for (let x = 0; x <= last; x++) {
    const before = x - radius > 0 ? (line[x - radius - 1] ?? 0) : start
    const after = x + radius < last ? (line[x + radius + 1] ?? 0) : end
    blurred[x] = (sum * inner + (before + after) * outer + 2 ** 23) / 2 ** 24
    sum += after - (x > radius ? (line[x - radius] ?? 0) : start)
  }
}
