import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { integerCollectionOutput } from '#server/engine/nodes/value-outputs.ts'
import { randomFrom } from '#server/engine/pictures/random.ts'
import { filledList } from './filled-list.ts'

const MAX_INT32 = 2_147_483_647
const MAX_SEED = 4_294_967_295

/** The same seed gives the same numbers; they are not NumPy's. */
export const randomRangeNode = defineNode({
  type: 'random_range',
  summary: 'Random whole numbers from low up to, not including, high',
  inputs: {
    low: Type.Integer({ default: 0 }),
    high: Type.Integer({ default: MAX_INT32 }),
    size: Type.Integer({ default: 1 }),
    seed: Type.Integer({ default: 0, minimum: 0, maximum: MAX_SEED }),
  },
  output: integerCollectionOutput,
  usesCache: false,
  run: ({ low, high, size, seed }) => {
    if (low >= high) throw new NodeFault('low >= high')
    if (size < 0) throw new NodeFault('negative dimensions are not allowed')
    const random = randomFrom(seed)
    // Two draws of 32 bits reach every whole number that there is.
    const draw = () => random() + random() / 2 ** 32
    return { collection: filledList(size, () => low + Math.floor(draw() * (high - low))) }
  },
})
