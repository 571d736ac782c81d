import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import {
  floatCollectionOutput,
  integerCollectionOutput,
} from '#server/engine/nodes/value-outputs.ts'
import { filledList } from './filled-list.ts'

const refuseZeroStep = (step: number) => {
  if (step === 0) throw new NodeFault('range() arg 3 must not be zero')
}

export const rangeNode = defineNode({
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

export const rangeOfSizeNode = defineNode({
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

export const floatRangeNode = defineNode({
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
    // The last one is what was asked for, and not what adding up leaves of it.
    const at = (index: number) => (index > 0 && index === steps - 1 ? stop : start + index * step)
    return { collection: filledList(steps, at) }
  },
})
