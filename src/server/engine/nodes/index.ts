import Type, { type TSchema } from 'typebox'
import { defineNode, EdgeOnly, type NodeDefinition } from '#server/engine/define-node.ts'
import { arithmeticNodes } from '#server/engine/nodes/arithmetic/index.ts'
import { maskNodes } from '#server/engine/nodes/masks/index.ts'
import { matchingNodes } from '#server/engine/nodes/matching/color-correct.ts'
import { metadataNodes } from '#server/engine/nodes/metadata/index.ts'
import { modelNodes } from '#server/engine/nodes/models/onnx-image.ts'
import { pictureNodes } from '#server/engine/nodes/pictures/index.ts'
import { stringNodes } from '#server/engine/nodes/strings/index.ts'
import { tileNodes } from '#server/engine/nodes/tiles/index.ts'
import { collectionNodes } from './collections.ts'
import { constantNodes } from './constants.ts'
import { schemasOf } from './node-schemas.ts'

/** The engine runs the following nodes once for each item. */
const iterateNode = defineNode({
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

const either = Type.Unknown({ default: null })

const ifNode = defineNode({
  type: 'if',
  summary: 'Hands on one of two inputs; what feeds only the other is not run',
  inputs: {
    condition: Type.Boolean({ default: false }),
    true_input: either,
    false_input: either,
  },
  output: { type: 'if_output', fields: Type.Object({ value: Type.Unknown() }) },
  run: ({ condition, true_input, false_input }) => ({
    value: condition ? true_input : false_input,
  }),
})

/** The engine gathers the values of its edges over one iteration level into `collection`. */
const collectNode = defineNode({
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

/** Nodes that control which nodes run, and how often. */
const logicNodes = [ifNode, iterateNode, collectNode]

const families: readonly (readonly NodeDefinition[])[] = [
  constantNodes,
  arithmeticNodes,
  collectionNodes,
  logicNodes,
  stringNodes,
  metadataNodes,
  pictureNodes,
  maskNodes,
  matchingNodes,
  tileNodes,
  modelNodes,
]

/** All node types of this server, by name. */
export const nodeCatalog: ReadonlyMap<string, NodeDefinition> = new Map(
  families.flat().map((definition) => [definition.type, definition]),
)

/** Returns the input and output schemas of all nodes for the OpenAPI description. */
export const nodeSchemas = (): Record<string, TSchema> => schemasOf(nodeCatalog.values())
