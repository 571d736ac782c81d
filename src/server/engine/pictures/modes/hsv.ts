import type { PixelLoop } from './pixel-loop.ts'

const { fround } = Math

/** Returns the hue (0..255) of a color that is not gray, from the sextant of its strongest band. */
const hueOf = (red: number, green: number, blue: number, max: number, spread: number): number => {
  const rest = (band: number) => fround((max - band) / spread)
  const sextant =
    red === max
      ? fround(rest(blue) - rest(green))
      : green === max
        ? fround(2 + rest(red) - rest(blue))
        : fround(4 + rest(green) - rest(red))
  return Math.trunc(fround((sextant / 6 + 1) % 1) * 255)
}

/** Computes all three bands as truncated bytes, in single precision like Pillow. */
const toHsv: PixelLoop = (source, target, from, to) => {
  for (let at = from * 3; at < to * 3; at += 3) {
    const red = source[at] ?? 0
    const green = source[at + 1] ?? 0
    const blue = source[at + 2] ?? 0
    const max = Math.max(red, green, blue)
    const spread = max - Math.min(red, green, blue)
    target[at] = spread === 0 ? 0 : hueOf(red, green, blue, max, spread)
    target[at + 1] = spread === 0 ? 0 : Math.trunc(fround(spread / max) * 255)
    target[at + 2] = max
  }
}

/**
 * Returns one band of the color. It is at its maximum for two sextants, at its minimum for two, and linear in
 * between.
 *
 * @param turn - In sextants from where the band begins to decrease.
 */
const bandAt = (turn: number, saturation: number, value: number): number => {
  const loss = Math.min(turn, 4 - turn, 1)
  return loss <= 0 ? value : Math.round(value * (1 - saturation * loss))
}

const toRgb: PixelLoop = (source, target, from, to) => {
  for (let at = from * 3; at < to * 3; at += 3) {
    const turn = fround(((source[at] ?? 0) * 6) / 255)
    const saturation = fround((source[at + 1] ?? 0) / 255)
    const value = source[at + 2] ?? 0
    target[at] = bandAt((turn + 5) % 6, saturation, value)
    target[at + 1] = bandAt((turn + 3) % 6, saturation, value)
    target[at + 2] = bandAt((turn + 1) % 6, saturation, value)
  }
}

/** Conversions between RGB and HSV. */
export const hsvLoops: Readonly<Record<string, PixelLoop>> = { 'RGB>HSV': toHsv, 'HSV>RGB': toRgb }
