import Type from 'typebox'
import { ColorField } from '#contract/graph.ts'
import { defineNode } from '#server/engine/define-node.ts'
import { colorOutput } from '#server/engine/nodes/value-outputs.ts'

export const colorNode = defineNode({
  type: 'color',
  summary: 'A constant colour',
  inputs: { color: Type.Object(ColorField.properties, { default: { r: 0, g: 0, b: 0, a: 255 } }) },
  output: colorOutput,
  run: ({ color }) => ({ color }),
})
