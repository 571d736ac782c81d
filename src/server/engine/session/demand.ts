import { isBranch, type PreparedEdge, type PreparedNode } from './prepared-node.ts'

type Demand = PreparedNode['demand']

/** Whether an edge's target wants what comes along it. */
function demandAlong(edge: PreparedEdge): Demand {
  const { target } = edge
  if (target.demand === 'skipped' || !isBranch(edge)) return target.demand
  if (target.chosen === null) return 'unknown'
  return target.chosen === edge.field ? target.demand : 'skipped'
}

/**
 * Whether a node is wanted: by anything that is certain to run, or since nothing follows it.
 *
 * @param hasMoreBehind - Something that follows it is not prepared yet, and can only be once this has run.
 */
export function demandFor(node: PreparedNode, hasMoreBehind: boolean): Demand {
  if (hasMoreBehind || node.outputs.length === 0) return 'needed'
  const demands = node.outputs.map(demandAlong)
  if (demands.includes('needed')) return 'needed'
  return demands.includes('unknown') ? 'unknown' : 'skipped'
}
