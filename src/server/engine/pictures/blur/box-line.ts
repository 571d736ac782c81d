/** A window of 2 * radius + 1 pixels and a fraction of one more on each side. Weights are fractions of 2 ** 24. */
export interface BoxWindow {
  readonly radius: number
  /** Weight of each pixel within the radius. */
  readonly inner: number
  /** Weight of the two pixels next to them. */
  readonly outer: number
}

const { fround, trunc } = Math

/** Returns the window for a possibly fractional radius, in Pillow's precision. */
export const boxWindow = (radius: number): BoxWindow => {
  const whole = trunc(radius)
  const inner = trunc(fround(2 ** 24 / fround(fround(radius) * 2 + 1)))
  return { radius: whole, inner, outer: trunc((2 ** 24 - (whole * 2 + 1) * inner) / 2) }
}

/** Averages over the window at each position of a line. Pixels beyond its ends equal the end pixels. */
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
