import type { GraphNode } from '#contract/queue/graph.ts'
import type { NodeDefinition } from '#server/engine/define-node.ts'

/** An edge between prepared nodes. `isMet` is true once the target no longer waits for it. */
export interface PreparedEdge {
  readonly source: PreparedNode
  readonly sourceField: string
  readonly target: PreparedNode
  readonly field: string
  isMet: boolean
}

/** A copy of a graph node for one combination of iterations. Prepared nodes are what the engine runs. */
export interface PreparedNode {
  readonly sourceId: string
  readonly definition: NodeDefinition
  /** Index along each of its axes, outer ones first. */
  readonly path: readonly number[]
  /** The node with a new id, and with its inputs once they are filled. */
  node: GraphNode
  readonly inputs: PreparedEdge[]
  readonly outputs: PreparedEdge[]
  /** Number of inputs that are not available yet. */
  unmet: number
  /** The demand for the result. `unknown` while an `if` that consumes it has not chosen. */
  demand: 'needed' | 'unknown' | 'skipped'
  /** True after the node ran or was skipped. */
  isExecuted: boolean
  isQueued: boolean
  /** Only for `if`: the chosen input, once it is known. */
  chosen: 'true_input' | 'false_input' | null
}

export function meet(edge: PreparedEdge): void {
  if (edge.isMet) return
  edge.isMet = true
  edge.target.unmet -= 1
}

/** True if the edge is one of the two branches of an `if`. */
export const isBranch = ({ target, field }: PreparedEdge): boolean =>
  target.definition.type === 'if' && field !== 'condition'
