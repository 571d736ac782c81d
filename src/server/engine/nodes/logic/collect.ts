import Type from 'typebox'
import { defineNode, EdgeOnly } from '#server/engine/define-node.ts'

/** The engine gathers what its edges bring, one iteration level of it, into `collection` (wire 9.2). */
export const collectNode = defineNode({
  type: 'collect',
  summary: 'Gathers what its edges bring into one list',
  inputs: {
    item: EdgeOnly(Type.Unknown({ default: null })),
    collection: EdgeOnly(Type.Array(Type.Unknown(), { default: [] })),
  },
  output: {
    type: 'collect_output',
    fields: Type.Object({ collection: Type.Array(Type.Unknown()) }),
  },
  usesCache: false,
  run: ({ collection }) => ({ collection }),
})
