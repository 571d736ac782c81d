import { roundHalfToEven } from './whole-number.ts'

/**
 * Rounds by the exact binary value of a number, as Python's `round` does: 2.675 lies below its decimal
 * spelling, so that two decimals give 2.67; what lies exactly between goes to the even neighbour.
 *
 * @param decimals - Below zero: to tens, hundreds, ...
 */
export function roundDecimals(value: number, decimals: number): number {
  // A double has at most 17 digits that tell; beyond 22 powers of ten are not exact either.
  if (decimals > 22 || !Number.isFinite(value)) return value
  if (decimals < -308) return 0
  if (decimals < 0) {
    const unit = 10 ** -decimals
    return roundHalfToEven(value / unit) * unit + 0
  }
  const scaled = Math.abs(value) * 10 ** decimals
  // Exactly between two neighbours only if halves of the last decimal are binary fractions.
  if (
    scaled % 1 === 0.5 &&
    scaled / 10 ** decimals === Math.abs(value) &&
    isExactHalf(value, decimals)
  ) {
    return (Math.sign(value) * roundHalfToEven(scaled)) / 10 ** decimals + 0
  }
  return Number(value.toFixed(decimals)) + 0
}

/** Whether the binary value is a whole number of halves of the last decimal: `toFixed` with all digits tells. */
const isExactHalf = (value: number, decimals: number): boolean => {
  const digits = Math.abs(value).toFixed(100)
  const after = digits.slice(digits.indexOf('.') + 1 + decimals)
  return /^50*$/.test(after)
}
