import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { stringOutput } from '#server/engine/nodes/value-outputs.ts'

const part = Type.String({ default: '' })

export const stringJoinNode = defineNode({
  type: 'string_join',
  summary: 'Joins two texts',
  inputs: { string_left: part, string_right: part },
  output: stringOutput,
  run: ({ string_left, string_right }) => ({ value: string_left + string_right }),
})

export const stringJoinThreeNode = defineNode({
  type: 'string_join_three',
  summary: 'Joins three texts',
  inputs: { string_left: part, string_middle: part, string_right: part },
  output: stringOutput,
  run: ({ string_left, string_middle, string_right }) => ({
    value: string_left + string_middle + string_right,
  }),
})
