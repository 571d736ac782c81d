import type { Graph, GraphNode } from '#contract/graph.ts'
import type { NodeFieldValue } from '#contract/queue.ts'
import { definitionOf, type NodeCatalog } from '#server/engine/graph/node-catalog.ts'
import { fieldsOf } from '#server/engine/graph/node-fields.ts'
import { readInput } from '#server/engine/graph/read-node.ts'

/**
 * Writes the values of a batch into their nodes (wire 9.3). One that does not fit is written as it is: it is
 * refused when its node gets its inputs.
 */
export function writeFieldValues(
  catalog: NodeCatalog,
  graph: Graph,
  values: readonly NodeFieldValue[],
): Graph {
  if (values.length === 0) return graph
  const nodes = new Map(Object.entries(graph.nodes))
  for (const { node_path, field_name, value } of values) {
    const node = nodes.get(node_path)
    const field = node && fieldsOf(definitionOf(catalog, node.type)).get(field_name)
    if (!node || !field) continue
    const read = readInput(field, value)
    const written = read.faults.all.length > 0 ? value : read.value
    const entries = Object.entries(node).map(([name, old]) => [
      name,
      name === field_name ? written : old,
    ])
    nodes.set(node_path, Object.fromEntries(entries) as GraphNode)
  }
  return { ...graph, nodes: Object.fromEntries(nodes) }
}
