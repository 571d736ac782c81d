import { addNode, divideNode, multiplyNode, subtractNode } from './basic.ts'
import { floatMathNode } from './float-math.ts'
import { integerMathNode } from './integer-math.ts'
import { randomFloatNode, randomIntNode } from './random.ts'
import { floatToIntNode, roundFloatNode } from './rounding.ts'

/** What works out numbers. */
export const arithmeticNodes = [
  addNode,
  subtractNode,
  multiplyNode,
  divideNode,
  integerMathNode,
  floatMathNode,
  randomIntNode,
  randomFloatNode,
  floatToIntNode,
  roundFloatNode,
]
