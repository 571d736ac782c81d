import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { randomFrom } from '#server/engine/pictures/random.ts'
import { floatCollectionOutput, integerCollectionOutput } from './value-outputs.ts'

const refuseZeroStep = (step: number) => {
  if (step === 0) throw new NodeFault('range() arg 3 must not be zero')
}

const rangeNode = defineNode({
  type: 'range',
  summary: 'Whole numbers from start up to, not including, stop',
  inputs: {
    start: Type.Integer({ default: 0 }),
    stop: Type.Integer({ default: 10 }),
    step: Type.Integer({ default: 1 }),
  },
  output: integerCollectionOutput,
  check: ({ start, stop }) =>
    stop <= start ? { field: 'stop', message: 'stop must be greater than start' } : null,
  run: ({ start, stop, step }) => {
    refuseZeroStep(step)
    return {
      collection: filledList(Math.ceil((stop - start) / step), (index) => start + index * step),
    }
  },
})

const rangeOfSizeNode = defineNode({
  type: 'range_of_size',
  summary: 'As many whole numbers as size says, from start on',
  inputs: {
    start: Type.Integer({ default: 0 }),
    size: Type.Integer({ default: 1, exclusiveMinimum: 0 }),
    step: Type.Integer({ default: 1 }),
  },
  output: integerCollectionOutput,
  run: ({ start, size, step }) => {
    refuseZeroStep(step)
    return { collection: filledList(size, (index) => start + index * step) }
  },
})

const floatRangeNode = defineNode({
  type: 'float_range',
  summary: 'Evenly spaced numbers, both ends included',
  inputs: {
    start: Type.Number({ default: 5 }),
    stop: Type.Number({ default: 10 }),
    steps: Type.Integer({ default: 30 }),
  },
  output: floatCollectionOutput,
  run: ({ start, stop, steps }) => {
    if (steps < 0) throw new NodeFault(`Number of samples, ${steps}, must be non-negative.`)
    const step = (stop - start) / Math.max(1, steps - 1)
    // Returns `stop` itself, without the rounding error of the additions.
    const at = (index: number) => (index > 0 && index === steps - 1 ? stop : start + index * step)
    return { collection: filledList(steps, at) }
  },
})

const MAX_INT32 = 2_147_483_647
const MAX_SEED = 4_294_967_295

/** Equal seeds give equal numbers, which differ from NumPy's. */
const randomRangeNode = defineNode({
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
    // Two draws of 32 bits, so that every safe integer can be reached.
    const draw = () => random() + random() / 2 ** 32
    return { collection: filledList(size, () => low + Math.floor(draw() * (high - low))) }
  },
})

export const collectionNodes = [rangeNode, rangeOfSizeNode, randomRangeNode, floatRangeNode]

/** Far more items than a run can process, and still fast to create. */
const MAX_LIST_LENGTH = 1_000_000

/**
 * Returns a list of `at(index)`.
 *
 * @throws {NodeFault} The list would be too long.
 */
function filledList(length: number, at: (index: number) => number): number[] {
  if (length > MAX_LIST_LENGTH) {
    throw new NodeFault(`The list would have ${length} items; at most ${MAX_LIST_LENGTH} are made.`)
  }
  return Array.from({ length: Math.max(0, length) }, (_none, index) => at(index))
}
