/**
 * The fingerprint of a picture: two words of a perceptual hash and three of its colors, each from 0 to 4,294,967,294. The
 * hash has four parts of 16 bits: signs of waves that are even in both directions, odd across, odd down, odd in both. The
 * colors are nine fields of ten bits, a row per word: 4 bits of brightness, 3 of blueness, 3 of redness.
 */
export type Fingerprint = readonly number[]

export const FINGERPRINT_WORDS = 5

/** Returns the number of bits of each half of a word that are 1, in the halves of the result. */
const countHalves = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  const eights = (fours + (fours >>> 4)) & 0x0f0f0f0f
  return (eights + (eights >>> 8)) & 0x00ff00ff
}

/** Returns the hash of a picture that is mirrored at its diagonal, which exchanges width and height. */
export const transposedHash = (high: number, low: number): [number, number] => [
  ((transpose16(high >>> 16) << 16) | (low >>> 16)) >>> 0,
  ((high << 16) | transpose16(low & 0xffff)) >>> 0,
]

/** Mirrors four rows of four bits at their diagonal. */
const transpose16 = (bits: number): number => {
  const blocks = (bits ^ (bits >>> 6)) & 0x00cc
  const halves = bits ^ blocks ^ (blocks << 6)
  const cells = (halves ^ (halves >>> 3)) & 0x0a0a
  return (halves ^ cells ^ (cells << 3)) & 0xffff
}

/**
 * Returns the smallest number of different bits of two hashes, if one may be mirrored across and down. Mirroring turns
 * the signs of odd waves: across those of two parts, down those of two parts.
 */
export const mirroredDistance = (
  high: number,
  low: number,
  otherHigh: number,
  otherLow: number,
): number => {
  const highs = countHalves(high ^ otherHigh)
  const lows = countHalves(low ^ otherLow)
  const even = highs >>> 16
  const across = highs & 0xffff
  const down = lows >>> 16
  const both = lows & 0xffff
  const upright = across + down + both
  const mirrored = 16 - across + down + (16 - both)
  const flipped = across + (16 - down) + (16 - both)
  const turned = 16 - across + (16 - down) + both
  return even + Math.min(Math.min(upright, mirrored), Math.min(flipped, turned))
}

/** Returns how many bits two hashes differ in at least, from the difference of their first words. Rejects most pairs. */
export const leastDistance = (difference: number): number => {
  const halves = countHalves(difference)
  const across = halves & 0xffff
  return (halves >>> 16) + Math.min(across, 16 - across)
}

/** The orientations of a picture: bit 0 mirrors it across, bit 1 down, and bit 2 first at its diagonal. */
export const ORIENTATIONS = 8

/** Returns the number of different bits, given their numbers in each half, if the first hash is mirrored. */
const mirroredBits = (highs: number, lows: number, orientation: number): number => {
  const isAcross = (orientation & 1) !== 0
  const isDown = (orientation & 2) !== 0
  const turned = (count: number, isTurned: boolean) => (isTurned ? 16 - count : count)
  return (
    (highs >>> 16) +
    turned(highs & 0xffff, isAcross) +
    turned(lows >>> 16, isDown) +
    turned(lows & 0xffff, isAcross !== isDown)
  )
}

/** Returns the number of different bits of two hashes, of which the first has an orientation. */
export const hashDistance = (one: Fingerprint, other: Fingerprint, orientation: number): number => {
  const [high = 0, low = 0] =
    (orientation & 4) === 0 ? one : transposedHash(one[0] ?? 0, one[1] ?? 0)
  const highs = countHalves(high ^ (other[0] ?? 0))
  const lows = countHalves(low ^ (other[1] ?? 0))
  return mirroredBits(highs, lows, orientation)
}

/**
 * Writes the numbers of different bits of two hashes, of which the first is mirrored in none, one or both directions.
 *
 * @param high - The bits that differ in the first words, and `low` in the second ones.
 * @param into - Gets four numbers from `at`.
 */
export const writeDistances = (high: number, low: number, into: Uint8Array, at: number): void => {
  const highs = countHalves(high)
  const lows = countHalves(low)
  for (let mirrored = 0; mirrored < 4; mirrored += 1)
    into[at + mirrored] = mirroredBits(highs, lows, mirrored)
}

/** Returns the field of a picture that is at row and column after an orientation. */
const fieldAt = (colors: Fingerprint, orientation: number, row: number, column: number): number => {
  const across = (orientation & 1) === 0 ? column : 2 - column
  const down = (orientation & 2) === 0 ? row : 2 - row
  const [line, place] = (orientation & 4) === 0 ? [down, across] : [across, down]
  return fieldOf(colors[2 + line] ?? 0, place)
}

/** Returns one of the three fields of a row. */
export const fieldOf = (row: number, column: number): number => (row >>> (10 * (2 - column))) & 1023

const fieldDistance = (one: number, other: number): number =>
  Math.abs((one >>> 6) - (other >>> 6)) +
  Math.abs(((one >>> 3) & 7) - ((other >>> 3) & 7)) +
  Math.abs((one & 7) - (other & 7))

/** Returns the sum of the differences of the colors of two pictures, of which the first has an orientation. */
export const colorDistance = (
  one: Fingerprint,
  other: Fingerprint,
  orientation: number,
): number => {
  let sum = 0
  for (let row = 0; row < 3; row += 1)
    for (let column = 0; column < 3; column += 1)
      sum += fieldDistance(
        fieldAt(one, orientation, row, column),
        fieldOf(other[2 + row] ?? 0, column),
      )
  return sum
}

/**
 * Returns the distances of the nine fields of a picture, which has an orientation, from all fields: at
 * `[3 * row + column][field]`.
 */
export const colorDistances = (colors: Fingerprint, orientation: number): Uint8Array[] =>
  Array.from({ length: 9 }, (_, at) => {
    const own = fieldAt(colors, orientation, Math.floor(at / 3), at % 3)
    return Uint8Array.from({ length: 1024 }, (_, field) => fieldDistance(own, field))
  })
