import { clip8, type PixelLoop } from './pixel-loop.ts'

/** The D50 white point of the ICC profile connection space. */
const WHITE = { x: 0.9642, y: 1, z: 0.8249 } as const

/** Linear light (0..1) of each sRGB byte. */
const lightOf = Float64Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

/** The sRGB byte for linear light in steps of 1/65535, which are fine enough to distinguish the darkest bytes. */
const byteOfLight = Uint8Array.from({ length: 65_536 }, (_, step) => {
  const light = step / 65_535
  const value = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
  return Math.round(value * 255)
})

const toByte = (light: number): number =>
  byteOfLight[Math.round(light <= 0 ? 0 : light >= 1 ? 65_535 : light * 65_535)] ?? 0

const KNEE = 6 / 29

const fold = (ratio: number): number =>
  ratio > KNEE ** 3 ? Math.cbrt(ratio) : ratio / (3 * KNEE ** 2) + 4 / 29

const unfold = (value: number): number =>
  value > KNEE ? value ** 3 : 3 * KNEE ** 2 * (value - 4 / 29)

/** Encodes L as 0..255 for 0..100, and a and b plus 128. Uses sRGB's matrix adapted to D50 (Bradford). */
const toLab: PixelLoop = (source, target, from, to) => {
  for (let at = from * 3; at < to * 3; at += 3) {
    const red = lightOf[source[at] ?? 0] ?? 0
    const green = lightOf[source[at + 1] ?? 0] ?? 0
    const blue = lightOf[source[at + 2] ?? 0] ?? 0
    const x = fold((0.4360747 * red + 0.3850649 * green + 0.1430804 * blue) / WHITE.x)
    const y = fold(0.2225045 * red + 0.7168786 * green + 0.0606169 * blue)
    const z = fold((0.0139322 * red + 0.0971045 * green + 0.7141733 * blue) / WHITE.z)
    target[at] = clip8(Math.round((116 * y - 16) * 2.55))
    target[at + 1] = clip8(Math.round(500 * (x - y)) + 128)
    target[at + 2] = clip8(Math.round(200 * (y - z)) + 128)
  }
}

const toRgb: PixelLoop = (source, target, from, to) => {
  for (let at = from * 3; at < to * 3; at += 3) {
    const folded = ((source[at] ?? 0) / 2.55 + 16) / 116
    const x = WHITE.x * unfold(folded + ((source[at + 1] ?? 0) - 128) / 500)
    const y = unfold(folded)
    const z = WHITE.z * unfold(folded - ((source[at + 2] ?? 0) - 128) / 200)
    target[at] = toByte(3.1338561 * x - 1.6168667 * y - 0.4906146 * z)
    target[at + 1] = toByte(-0.9787684 * x + 1.9161415 * y + 0.033454 * z)
    target[at + 2] = toByte(0.0719453 * x - 0.2289914 * y + 1.4052427 * z)
  }
}

/**
 * Conversions between sRGB and CIE L*a*b* (D50) by formula. Pillow uses LittleCMS, which interpolates in a coarse
 * table on the way back to RGB: most bytes differ by at most 1, dark and saturated ones by up to 40.
 */
export const labLoops: Readonly<Record<string, PixelLoop>> = { 'RGB>LAB': toLab, 'LAB>RGB': toRgb }
