import { stringJoinNode, stringJoinThreeNode } from './join.ts'
import { stringReplaceNode } from './replace.ts'
import { stringSplitNode } from './split.ts'
import { stringSplitNegativeNode } from './split-negative.ts'

/** What works on text. */
export const stringNodes = [
  stringJoinNode,
  stringJoinThreeNode,
  stringReplaceNode,
  stringSplitNode,
  stringSplitNegativeNode,
]
