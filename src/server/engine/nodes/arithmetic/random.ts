import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { floatOutput, integerOutput } from '#server/engine/nodes/value-outputs.ts'
import { roundDecimals } from './round-decimals.ts'

/** The greatest value of a 32-bit integer, NumPy's default bound. */
export const MAX_INT32 = 2_147_483_647

export const randomIntNode = defineNode({
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

export const randomFloatNode = defineNode({
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
