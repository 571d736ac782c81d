import type { Graph } from '#contract/queue/graph.ts'
import type { NodeFieldValue } from '#contract/queue/queue.ts'
import { definitionOf, type NodeCatalog } from './node-catalog.ts'
import { fieldsOf } from './node-fields.ts'

/** Returns InvokeAI's message if a batch value cannot be written to an input of a checked graph, or null. */
export function checkField(
  catalog: NodeCatalog,
  graph: Graph,
  { node_path, field_name }: Omit<NodeFieldValue, 'value'>,
): string | null {
  const node = Object.hasOwn(graph.nodes, node_path) ? graph.nodes[node_path] : undefined
  if (node === undefined) return `Node ${node_path} not found in graph`
  if (fieldsOf(definitionOf(catalog, node.type)).has(field_name)) return null
  return `Field ${field_name} not found in node ${node_path}`
}
