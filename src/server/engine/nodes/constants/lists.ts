import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import {
  booleanCollectionOutput,
  floatCollectionOutput,
  integerCollectionOutput,
  stringCollectionOutput,
} from '#server/engine/nodes/value-outputs.ts'

export const booleanCollectionNode = defineNode({
  type: 'boolean_collection',
  summary: 'A constant list of true and false',
  inputs: { collection: Type.Array(Type.Boolean(), { default: [] }) },
  output: booleanCollectionOutput,
  run: ({ collection }) => ({ collection }),
})

export const integerCollectionNode = defineNode({
  type: 'integer_collection',
  summary: 'A constant list of whole numbers',
  inputs: { collection: Type.Array(Type.Integer(), { default: [] }) },
  output: integerCollectionOutput,
  run: ({ collection }) => ({ collection }),
})

export const floatCollectionNode = defineNode({
  type: 'float_collection',
  summary: 'A constant list of numbers',
  inputs: { collection: Type.Array(Type.Number(), { default: [] }) },
  output: floatCollectionOutput,
  run: ({ collection }) => ({ collection }),
})

export const stringCollectionNode = defineNode({
  type: 'string_collection',
  summary: 'A constant list of texts',
  inputs: { collection: Type.Array(Type.String(), { default: [] }) },
  output: stringCollectionOutput,
  run: ({ collection }) => ({ collection }),
})
