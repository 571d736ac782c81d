import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { floatOutput, integerOutput } from '#server/engine/nodes/value-outputs.ts'
import { roundDecimals } from './round-decimals.ts'
import { roundHalfToEven } from './whole-number.ts'

const methods = {
  Nearest: roundHalfToEven,
  Floor: Math.floor,
  Ceiling: Math.ceil,
  Truncate: Math.trunc,
}

export const floatToIntNode = defineNode({
  type: 'float_to_int',
  summary: 'Rounds to a whole multiple',
  inputs: {
    value: Type.Number({ default: 0 }),
    multiple: Type.Integer({ default: 1, minimum: 1 }),
    method: Type.Enum(['Nearest', 'Floor', 'Ceiling', 'Truncate'], { default: 'Nearest' }),
  },
  output: integerOutput,
  run: ({ value, multiple, method }) => {
    // Adding 0 makes -0 to 0.
    const rounded = methods[method](value / multiple) * multiple + 0
    if (!Number.isSafeInteger(rounded)) {
      throw new NodeFault(
        'The result is beyond 2^53 - 1, the largest whole number that is kept exactly.',
      )
    }
    return { value: rounded }
  },
})

export const roundFloatNode = defineNode({
  type: 'round_float',
  summary: 'Rounds to a number of decimals',
  inputs: { value: Type.Number({ default: 0 }), decimals: Type.Integer({ default: 0 }) },
  output: floatOutput,
  run: ({ value, decimals }) => ({ value: roundDecimals(value, decimals) }),
})
