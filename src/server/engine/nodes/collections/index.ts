import { randomRangeNode } from './random-range.ts'
import { floatRangeNode, rangeNode, rangeOfSizeNode } from './ranges.ts'

/** What makes lists of numbers. */
export const collectionNodes = [rangeNode, rangeOfSizeNode, randomRangeNode, floatRangeNode]
