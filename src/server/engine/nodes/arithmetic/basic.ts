import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { integerOutput } from '#server/engine/nodes/value-outputs.ts'
import { wholeNumber } from './whole-number.ts'

const operand = Type.Integer({ default: 0 })

const arithmetic = (type: string, summary: string, of: (a: bigint, b: bigint) => bigint) =>
  defineNode({
    type,
    summary,
    inputs: { a: operand, b: operand },
    output: integerOutput,
    run: ({ a, b }) => ({ value: wholeNumber(of(BigInt(a), BigInt(b))) }),
  })

export const addNode = arithmetic('add', 'a + b', (a, b) => a + b)
export const subtractNode = arithmetic('sub', 'a - b', (a, b) => a - b)
export const multiplyNode = arithmetic('mul', 'a * b', (a, b) => a * b)
export const divideNode = arithmetic('div', 'a / b, towards zero', (a, b) => {
  if (b === 0n) throw new NodeFault('division by zero', 'ZeroDivisionError')
  return a / b
})
