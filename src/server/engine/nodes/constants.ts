import Type, { type TSchema } from 'typebox'
import { type BoundingBoxField, ColorField, ImageField } from '#contract/queue/graph.ts'
import {
  defineNode,
  EdgeOnly,
  imageOutput,
  type NodeDefinition,
} from '#server/engine/define-node.ts'
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

/** Defines a node that outputs its only input. `integer_output` is the output of the node `integer`. */
const constantNode = (
  summary: string,
  input: TSchema,
  output: NodeDefinition['output'],
): NodeDefinition => {
  const [name = ''] = Object.keys(output.fields.properties)
  return defineNode({
    type: output.type.replace(/_output$/, ''),
    summary,
    inputs: { [name]: input },
    output,
    run: (inputs) => ({ [name]: inputs[name] }),
  })
}

const listOf = (item: TSchema) => Type.Array(item, { default: [] })

const imageNode = (type: string, summary: string): NodeDefinition =>
  defineNode({
    type,
    summary,
    inputs: { image: ImageField },
    output: imageOutput,
    run: async ({ image }, { imageRecord }) => {
      const { image_name, width, height } = await imageRecord(image)
      return { image: { image_name }, width, height }
    },
  })

const side = Type.Integer({ default: 0, description: 'Pixels' })

const boundingBoxNode = defineNode({
  type: 'bounding_box',
  summary: 'A constant box in pixels',
  inputs: { x_min: side, y_min: side, x_max: side, y_max: side },
  output: boundingBoxOutput,
  run: (box) => {
    const fault = boxFault(box)
    if (fault !== null) throw new NodeFault(fault)
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

const Color = Type.Object(ColorField.properties, { default: { r: 0, g: 0, b: 0, a: 255 } })

export const constantNodes: readonly NodeDefinition[] = [
  constantNode('A constant: true or false', Type.Boolean({ default: false }), booleanOutput),
  constantNode('A constant: a whole number', Type.Integer({ default: 0 }), integerOutput),
  constantNode('A constant: a number', Type.Number({ default: 0 }), floatOutput),
  constantNode('A constant: text', Type.String({ default: '' }), stringOutput),
  constantNode(
    'A constant list of true and false',
    listOf(Type.Boolean()),
    booleanCollectionOutput,
  ),
  constantNode('A constant list of whole numbers', listOf(Type.Integer()), integerCollectionOutput),
  constantNode('A constant list of numbers', listOf(Type.Number()), floatCollectionOutput),
  constantNode('A constant list of texts', listOf(Type.String()), stringCollectionOutput),
  imageNode('image', 'An image of the library'),
  imageCollectionNode,
  // InvokeAI opens a window on the server's desktop. This server only outputs the image.
  imageNode('show_image', 'Hands an image on'),
  constantNode('A constant colour', Color, colorOutput),
  boundingBoxNode,
]

/** Returns the fault of a box, or null. */
export const boxFault = ({ x_min, x_max, y_min, y_max }: BoundingBoxField): string | null => {
  if (x_min > x_max) return `x_min (${x_min}) is greater than x_max (${x_max}).`
  return y_min > y_max ? `y_min (${y_min}) is greater than y_max (${y_max}).` : null
}
