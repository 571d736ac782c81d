import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { floatOutput } from '#server/engine/nodes/value-outputs.ts'

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

export const floatMathNode = defineNode({
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
