import type { Picture } from '#server/engine/pictures/picture.ts'

/** The bands of a picture, interleaved. */
export type Bands = Picture['data']

/** Converts the pixels from `from` up to, but not including, `to` to another mode. */
export type PixelLoop = (source: Bands, target: Bands, from: number, to: number) => void

/** Returns v / 255, rounded, for v up to 65,535. Pillow divides a product of two bytes this way. */
export const div255 = (value: number): number => {
  const sum = value + 128
  return ((sum >> 8) + sum) >> 8
}

/** Clamps to 0..255. */
export const clip8 = (value: number): number => (value < 0 ? 0 : Math.min(value, 255))
