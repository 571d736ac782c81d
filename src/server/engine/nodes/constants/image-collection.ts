import Type from 'typebox'
import { ImageField } from '#contract/graph.ts'
import { defineNode, EdgeOnly } from '#server/engine/define-node.ts'
import { imageCollectionOutput } from '#server/engine/nodes/value-outputs.ts'

export const imageCollectionNode = defineNode({
  type: 'image_collection',
  summary: 'A list of images: those that are handed in, then those that stand here',
  inputs: {
    collection: EdgeOnly(Type.Array(ImageField, { default: [] })),
    images: Type.Array(ImageField, { default: [] }),
  },
  output: imageCollectionOutput,
  run: ({ collection, images }) => ({ collection: [...collection, ...images] }),
})
