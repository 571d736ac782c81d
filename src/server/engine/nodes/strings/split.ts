import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'

export const stringSplitNode = defineNode({
  type: 'string_split',
  summary: 'Splits a text where the delimiter stands first',
  inputs: { string: Type.String({ default: '' }), delimiter: Type.String({ default: '' }) },
  output: {
    type: 'string_2_output',
    fields: Type.Object({ string_1: Type.String(), string_2: Type.String() }),
  },
  run: ({ string, delimiter }) => {
    if (delimiter === '') throw new NodeFault('empty separator')
    const at = string.indexOf(delimiter)
    if (at === -1) return { string_1: string, string_2: '' }
    return { string_1: string.slice(0, at), string_2: string.slice(at + delimiter.length) }
  },
})
