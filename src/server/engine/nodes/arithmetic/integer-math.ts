import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { integerOutput } from '#server/engine/nodes/value-outputs.ts'

const Operation = Type.Enum(['ADD', 'SUB', 'MUL', 'DIV', 'EXP', 'MOD', 'ABS', 'MIN', 'MAX'], {
  default: 'ADD',
})

const absolute = (value: bigint) => (value < 0n ? -value : value)

/** Any larger exponent exceeds the safe range and takes long to compute. */
const MAX_EXPONENT = 53n

function power(base: bigint, exponent: bigint): bigint {
  if (absolute(base) <= 1n) return exponent === 0n ? 1n : exponent % 2n === 0n ? base * base : base
  return exponent > MAX_EXPONENT ? 2n ** 53n : base ** exponent
}

const operations = {
  ADD: (a: bigint, b: bigint) => a + b,
  SUB: (a: bigint, b: bigint) => a - b,
  MUL: (a: bigint, b: bigint) => a * b,
  DIV: (a: bigint, b: bigint) => a / b,
  EXP: power,
  // The remainder has the sign of a in JavaScript and the sign of b in Python.
  MOD: (a: bigint, b: bigint) => ((a % b) + b) % b,
  ABS: absolute,
  MIN: (a: bigint, b: bigint) => (a < b ? a : b),
  MAX: (a: bigint, b: bigint) => (a > b ? a : b),
}

const faultOf = (operation: string, b: number): string | null => {
  if ((operation === 'DIV' || operation === 'MOD') && b === 0) return 'Cannot divide by zero'
  if (operation === 'EXP' && b < 0) return 'Result of exponentiation is not an integer'
  return null
}

export const integerMathNode = defineNode({
  type: 'integer_math',
  summary: 'Arithmetic of whole numbers',
  inputs: {
    operation: Operation,
    a: Type.Integer({ default: 1 }),
    b: Type.Integer({ default: 1 }),
  },
  output: integerOutput,
  check: ({ operation, b }) => {
    const message = faultOf(operation, b)
    return message === null ? null : { field: 'b', message }
  },
  run: ({ operation, a, b }) => ({
    value: wholeNumber(operations[operation](BigInt(a), BigInt(b))),
  }),
})

/**
 * Returns the result of integer arithmetic as a number.
 *
 * @throws {NodeFault} The result is outside of JavaScript's safe range, so JSON in browsers would change it.
 */
export function wholeNumber(value: bigint | number): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new NodeFault(
    'The result is beyond 2^53 - 1, the largest whole number that is kept exactly.',
  )
}

/** Rounds exact halves to the even neighbor, like Python. */
export function roundHalfToEven(value: number): number {
  const floor = Math.floor(value)
  const above = value - floor
  if (above === 0.5) return floor % 2 === 0 ? floor : floor + 1
  return above < 0.5 ? floor : floor + 1
}
