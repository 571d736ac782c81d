import type { GraphNode } from '#contract/queue/graph.ts'
import type { NodeDefinition } from '#server/engine/define-node.ts'

/** An edge between prepared nodes. `isMet`: nothing is waited for here any more. */
export interface PreparedEdge {
  readonly source: PreparedNode
  readonly sourceField: string
  readonly target: PreparedNode
  readonly field: string
  isMet: boolean
}

/** A node of the graph at one place of its iterations: what is run. */
export interface PreparedNode {
  readonly sourceId: string
  readonly definition: NodeDefinition
  /** Its index along each of its axes, outer ones first. */
  readonly path: readonly number[]
  /** With its own id, and its inputs once they are there. */
  node: GraphNode
  readonly inputs: PreparedEdge[]
  readonly outputs: PreparedEdge[]
  /** How many of its inputs are still waited for. */
  unmet: number
  /** Whether its result is wanted: `unknown` while an `if` behind it has not chosen. */
  demand: 'needed' | 'unknown' | 'skipped'
  /** Ran, or was skipped. */
  isExecuted: boolean
  isQueued: boolean
  /** Of an `if`: the input that it hands on, once that is known. */
  chosen: 'true_input' | 'false_input' | null
}

/** Waits for this edge no longer. */
export function meet(edge: PreparedEdge): void {
  if (edge.isMet) return
  edge.isMet = true
  edge.target.unmet -= 1
}

/** Whether an `if` may leave this edge out. */
export const isBranch = ({ target, field }: PreparedEdge): boolean =>
  target.definition.type === 'if' && field !== 'condition'
