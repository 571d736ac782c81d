import type { NodeDefinition } from '#server/engine/define-node.ts'
import { colorCorrect } from './color-correct.ts'

/** The nodes that make one image like another (wire 9.5). */
export const matchingNodes: readonly NodeDefinition[] = [colorCorrect]
