import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'

/** What follows it is run once an item (wire 9.2). */
export const iterateNode = defineNode({
  type: 'iterate',
  summary: 'Runs what follows once for each item of a list',
  inputs: {
    collection: Type.Array(Type.Unknown(), { default: [] }),
    index: Type.Integer({ default: 0, description: 'Set by the engine' }),
  },
  output: {
    type: 'iterate_output',
    fields: Type.Object({ item: Type.Unknown(), index: Type.Integer(), total: Type.Integer() }),
  },
  usesCache: false,
  run: ({ collection, index }) => ({ item: collection[index], index, total: collection.length }),
})
