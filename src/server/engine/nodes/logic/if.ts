import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'

const either = Type.Unknown({ default: null })

export const ifNode = defineNode({
  type: 'if',
  summary: 'Hands on one of two inputs; what feeds only the other is not run',
  inputs: {
    condition: Type.Boolean({ default: false }),
    true_input: either,
    false_input: either,
  },
  output: { type: 'if_output', fields: Type.Object({ value: Type.Unknown() }) },
  run: ({ condition, true_input, false_input }) => ({
    value: condition ? true_input : false_input,
  }),
})
