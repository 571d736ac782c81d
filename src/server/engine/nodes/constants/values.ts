import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import {
  booleanOutput,
  floatOutput,
  integerOutput,
  stringOutput,
} from '#server/engine/nodes/value-outputs.ts'

export const booleanNode = defineNode({
  type: 'boolean',
  summary: 'A constant: true or false',
  inputs: { value: Type.Boolean({ default: false }) },
  output: booleanOutput,
  run: ({ value }) => ({ value }),
})

export const integerNode = defineNode({
  type: 'integer',
  summary: 'A constant: a whole number',
  inputs: { value: Type.Integer({ default: 0 }) },
  output: integerOutput,
  run: ({ value }) => ({ value }),
})

export const floatNode = defineNode({
  type: 'float',
  summary: 'A constant: a number',
  inputs: { value: Type.Number({ default: 0 }) },
  output: floatOutput,
  run: ({ value }) => ({ value }),
})

export const stringNode = defineNode({
  type: 'string',
  summary: 'A constant: text',
  inputs: { value: Type.String({ default: '' }) },
  output: stringOutput,
  run: ({ value }) => ({ value }),
})
