import { NodeFault } from '#server/engine/node-fault.ts'

/**
 * The result of whole-number arithmetic.
 *
 * @throws {NodeFault} JavaScript, and with it JSON in a browser, does not hold it exactly.
 */
export function wholeNumber(value: bigint): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new NodeFault(
    'The result is beyond 2^53 - 1, the largest whole number that is kept exactly.',
  )
}

/** Rounds halves to the even neighbour, as Python does. */
export function roundHalfToEven(value: number): number {
  const floor = Math.floor(value)
  const above = value - floor
  if (above === 0.5) return floor % 2 === 0 ? floor : floor + 1
  return above < 0.5 ? floor : floor + 1
}
