import Type from 'typebox'
import { ColorField, ImageField } from '#contract/queue/graph.ts'
import { defineNode, EdgeOnly, imageOutput, type NodeContext } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import {
  booleanCollectionOutput,
  booleanOutput,
  boundingBoxOutput,
  colorOutput,
  floatCollectionOutput,
  floatOutput,
  imageCollectionOutput,
  integerCollectionOutput,
  integerOutput,
  stringCollectionOutput,
  stringOutput,
} from './value-outputs.ts'

const booleanNode = defineNode({
  type: 'boolean',
  summary: 'A constant: true or false',
  inputs: { value: Type.Boolean({ default: false }) },
  output: booleanOutput,
  run: ({ value }) => ({ value }),
})

const integerNode = defineNode({
  type: 'integer',
  summary: 'A constant: a whole number',
  inputs: { value: Type.Integer({ default: 0 }) },
  output: integerOutput,
  run: ({ value }) => ({ value }),
})

const floatNode = defineNode({
  type: 'float',
  summary: 'A constant: a number',
  inputs: { value: Type.Number({ default: 0 }) },
  output: floatOutput,
  run: ({ value }) => ({ value }),
})

const stringNode = defineNode({
  type: 'string',
  summary: 'A constant: text',
  inputs: { value: Type.String({ default: '' }) },
  output: stringOutput,
  run: ({ value }) => ({ value }),
})

const booleanCollectionNode = defineNode({
  type: 'boolean_collection',
  summary: 'A constant list of true and false',
  inputs: { collection: Type.Array(Type.Boolean(), { default: [] }) },
  output: booleanCollectionOutput,
  run: ({ collection }) => ({ collection }),
})

const integerCollectionNode = defineNode({
  type: 'integer_collection',
  summary: 'A constant list of whole numbers',
  inputs: { collection: Type.Array(Type.Integer(), { default: [] }) },
  output: integerCollectionOutput,
  run: ({ collection }) => ({ collection }),
})

const floatCollectionNode = defineNode({
  type: 'float_collection',
  summary: 'A constant list of numbers',
  inputs: { collection: Type.Array(Type.Number(), { default: [] }) },
  output: floatCollectionOutput,
  run: ({ collection }) => ({ collection }),
})

const stringCollectionNode = defineNode({
  type: 'string_collection',
  summary: 'A constant list of texts',
  inputs: { collection: Type.Array(Type.String(), { default: [] }) },
  output: stringCollectionOutput,
  run: ({ collection }) => ({ collection }),
})

const outputImage = async ({ image }: { image: ImageField }, context: NodeContext) => {
  const { image_name, width, height } = await context.imageRecord(image)
  return { image: { image_name }, width, height }
}

const imageNode = defineNode({
  type: 'image',
  summary: 'An image of the library',
  inputs: { image: ImageField },
  output: imageOutput,
  run: outputImage,
})

/** InvokeAI opens a window on the server's desktop. This server only outputs the image. */
const showImageNode = defineNode({
  type: 'show_image',
  summary: 'Hands an image on',
  inputs: { image: ImageField },
  output: imageOutput,
  run: outputImage,
})

const side = Type.Integer({ default: 0, description: 'Pixels' })

const boundingBoxNode = defineNode({
  type: 'bounding_box',
  summary: 'A constant box in pixels',
  inputs: { x_min: side, y_min: side, x_max: side, y_max: side },
  output: boundingBoxOutput,
  run: (box) => {
    if (box.x_min > box.x_max) {
      throw new NodeFault(`x_min (${box.x_min}) is greater than x_max (${box.x_max}).`)
    }
    if (box.y_min > box.y_max) {
      throw new NodeFault(`y_min (${box.y_min}) is greater than y_max (${box.y_max}).`)
    }
    const { x_min, x_max, y_min, y_max } = box
    return { bounding_box: { x_min, x_max, y_min, y_max, score: null } }
  },
})

const imageCollectionNode = defineNode({
  type: 'image_collection',
  summary: 'A list of images: those that are handed in, then those that stand here',
  inputs: {
    collection: EdgeOnly(Type.Array(ImageField, { default: [] })),
    images: Type.Array(ImageField, { default: [] }),
  },
  output: imageCollectionOutput,
  run: ({ collection, images }) => ({ collection: [...collection, ...images] }),
})

const colorNode = defineNode({
  type: 'color',
  summary: 'A constant colour',
  inputs: { color: Type.Object(ColorField.properties, { default: { r: 0, g: 0, b: 0, a: 255 } }) },
  output: colorOutput,
  run: ({ color }) => ({ color }),
})

/** Nodes that output a constant. */
export const constantNodes = [
  booleanNode,
  integerNode,
  floatNode,
  stringNode,
  booleanCollectionNode,
  integerCollectionNode,
  floatCollectionNode,
  stringCollectionNode,
  imageNode,
  imageCollectionNode,
  showImageNode,
  colorNode,
  boundingBoxNode,
]
