import { collectNode } from './collect.ts'
import { ifNode } from './if.ts'
import { iterateNode } from './iterate.ts'

/** What says which nodes run, and how often. */
export const logicNodes = [ifNode, iterateNode, collectNode]
