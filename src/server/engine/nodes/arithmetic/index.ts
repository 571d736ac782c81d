import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { floatOutput, integerOutput } from '#server/engine/nodes/value-outputs.ts'
import { integerMathNode, roundHalfToEven, wholeNumber } from './integer-math.ts'

const methods = {
  Nearest: roundHalfToEven,
  Floor: Math.floor,
  Ceiling: Math.ceil,
  Truncate: Math.trunc,
}

const floatToIntNode = defineNode({
  type: 'float_to_int',
  summary: 'Rounds to a whole multiple',
  inputs: {
    value: Type.Number({ default: 0 }),
    multiple: Type.Integer({ default: 1, minimum: 1 }),
    method: Type.Enum(['Nearest', 'Floor', 'Ceiling', 'Truncate'], { default: 'Nearest' }),
  },
  output: integerOutput,
  // Adding 0 converts -0 to 0.
  run: ({ value, multiple, method }) => ({
    value: wholeNumber(methods[method](value / multiple) * multiple + 0),
  }),
})

const roundFloatNode = defineNode({
  type: 'round_float',
  summary: 'Rounds to a number of decimals',
  inputs: { value: Type.Number({ default: 0 }), decimals: Type.Integer({ default: 0 }) },
  output: floatOutput,
  run: ({ value, decimals }) => ({ value: roundDecimals(value, decimals) }),
})

const Operation = Type.Enum(['ADD', 'SUB', 'MUL', 'DIV', 'EXP', 'ABS', 'SQRT', 'MIN', 'MAX'], {
  default: 'ADD',
})

const operations = {
  ADD: (a: number, b: number) => a + b,
  SUB: (a: number, b: number) => a - b,
  MUL: (a: number, b: number) => a * b,
  DIV: (a: number, b: number) => a / b,
  EXP: (a: number, b: number) => a ** b,
  ABS: (a: number) => Math.abs(a),
  SQRT: (a: number) => Math.sqrt(a),
  MIN: (a: number, b: number) => Math.min(a, b),
  MAX: (a: number, b: number) => Math.max(a, b),
}

const faultOf = (operation: string, a: number, b: number): string | null => {
  if (operation === 'DIV' && b === 0) return 'Cannot divide by zero'
  if (operation !== 'EXP') return null
  if (a === 0 && b < 0) return 'Cannot raise zero to a negative power'
  return a < 0 && !Number.isInteger(b) ? 'Root operation resulted in a complex number' : null
}

const floatMathNode = defineNode({
  type: 'float_math',
  summary: 'Arithmetic of numbers',
  inputs: { operation: Operation, a: Type.Number({ default: 1 }), b: Type.Number({ default: 1 }) },
  output: floatOutput,
  check: ({ operation, a, b }) => {
    const message = faultOf(operation, a, b)
    return message === null ? null : { field: 'b', message }
  },
  run: ({ operation, a, b }) => ({ value: operations[operation](a, b) }),
})

/** The largest 32-bit integer, NumPy's default bound. */
const MAX_INT32 = 2_147_483_647

const randomIntNode = defineNode({
  type: 'rand_int',
  summary: 'A random whole number from low up to, not including, high',
  inputs: { low: Type.Integer({ default: 0 }), high: Type.Integer({ default: MAX_INT32 }) },
  output: integerOutput,
  usesCache: false,
  run: ({ low, high }) => {
    if (low >= high) throw new NodeFault('low >= high')
    return { value: low + Math.floor(Math.random() * (high - low)) }
  },
})

const randomFloatNode = defineNode({
  type: 'rand_float',
  summary: 'A random number between low and high, rounded',
  inputs: {
    low: Type.Number({ default: 0 }),
    high: Type.Number({ default: 1 }),
    decimals: Type.Integer({ default: 2 }),
  },
  output: floatOutput,
  usesCache: false,
  run: ({ low, high, decimals }) => ({
    value: roundDecimals(low + Math.random() * (high - low), decimals),
  }),
})

const operand = Type.Integer({ default: 0 })

const arithmetic = (type: string, summary: string, of: (a: bigint, b: bigint) => bigint) =>
  defineNode({
    type,
    summary,
    inputs: { a: operand, b: operand },
    output: integerOutput,
    run: ({ a, b }) => ({ value: wholeNumber(of(BigInt(a), BigInt(b))) }),
  })

const divideNode = arithmetic('div', 'a / b, towards zero', (a, b) => {
  if (b === 0n) throw new NodeFault('division by zero', 'ZeroDivisionError')
  return a / b
})

export const arithmeticNodes = [
  arithmetic('add', 'a + b', (a, b) => a + b),
  arithmetic('sub', 'a - b', (a, b) => a - b),
  arithmetic('mul', 'a * b', (a, b) => a * b),
  divideNode,
  integerMathNode,
  floatMathNode,
  randomIntNode,
  randomFloatNode,
  floatToIntNode,
  roundFloatNode,
]

/**
 * Rounds the exact binary value of a number, like Python's `round`: 2.675 is stored as slightly less, so two decimals
 * give 2.67. An exact half is rounded to the even neighbor.
 *
 * @param decimals - A negative number rounds to tens, hundreds, ...
 */
function roundDecimals(value: number, decimals: number): number {
  // A double has at most 17 significant digits, and powers of ten above 10^22 are inexact.
  if (decimals > 22 || !Number.isFinite(value)) return value
  if (decimals < -308) return 0
  if (decimals < 0) {
    const unit = 10 ** -decimals
    return roundHalfToEven(value / unit) * unit + 0
  }
  const scaled = Math.abs(value) * 10 ** decimals
  // Exact halves are possible only if half a unit of the last decimal is a binary fraction.
  if (
    scaled % 1 === 0.5 &&
    scaled / 10 ** decimals === Math.abs(value) &&
    isExactHalf(value, decimals)
  ) {
    return (Math.sign(value) * roundHalfToEven(scaled)) / 10 ** decimals + 0
  }
  return Number(value.toFixed(decimals)) + 0
}

/** True if the binary value is an exact half. `toFixed(100)` prints all of its digits. */
const isExactHalf = (value: number, decimals: number): boolean => {
  const digits = Math.abs(value).toFixed(100)
  const after = digits.slice(digits.indexOf('.') + 1 + decimals)
  return /^50*$/.test(after)
}
