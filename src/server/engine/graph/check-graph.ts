import { randomUUID } from 'node:crypto'
import { MAX_GRAPH_EDGES, MAX_GRAPH_NODES } from '#contract/limits.ts'
import type { Edge, Graph, GraphNode } from '#contract/queue/graph.ts'
import type { NodeFieldValue } from '#contract/queue/queue.ts'
import type { ValidationFault } from '#contract/refusal-bodies.ts'
import { FaultList } from '#server/core/validation/fault-list.ts'
import { findings, type Loc, valueError } from '#server/core/validation/findings.ts'
import { isPlainObject, readValue } from '#server/core/validation/read-value.ts'
import { checkConnections } from './check-connections.ts'
import { definitionOf, type NodeCatalog } from './node-catalog.ts'
import { fieldsOf } from './node-fields.ts'
import { readNode } from './read-node.ts'

/**
 * Validates a submitted graph, fills in defaults and drops unknown fields.
 *
 * @param at - Path of the graph in the request, for the `loc` of faults.
 */
export function checkGraph(
  catalog: NodeCatalog,
  input: unknown,
  at: Loc,
): { graph: Graph } | { faults: ValidationFault[] } {
  const found = new FaultList()
  const graph = readGraph(catalog, input, at, found)
  if (graph === undefined || found.all.length > 0) return { faults: found.all }
  const misfit = checkConnections(catalog, graph)
  if (misfit === null) return { graph }
  found.add(valueError(misfit), at)
  return { faults: found.all }
}

function readGraph(
  catalog: NodeCatalog,
  input: unknown,
  at: Loc,
  found: FaultList,
): Graph | undefined {
  if (!isPlainObject(input)) {
    found.add(findings.object, at)
    return undefined
  }
  const own = (name: string, otherwise: unknown) =>
    Object.hasOwn(input, name) ? input[name] : otherwise
  const nodes = own('nodes', {})
  const edges = own('edges', [])
  if (!isPlainObject(nodes)) found.add(findings.dict, [...at, 'nodes'])
  else if (Object.keys(nodes).length > MAX_GRAPH_NODES) {
    found.add(valueError(`a graph has at most ${MAX_GRAPH_NODES} nodes`), [...at, 'nodes'])
  }
  if (!Array.isArray(edges)) found.add(findings.list, [...at, 'edges'])
  else if (edges.length > MAX_GRAPH_EDGES) {
    found.add(valueError(`a graph has at most ${MAX_GRAPH_EDGES} edges`), [...at, 'edges'])
  }
  const id = own('id', randomUUID())
  const isIdRead = readValue({ type: 'string' }, id, [...at, 'id'], 'graph', found) !== undefined
  if (found.all.length > 0 || !isIdRead || !isPlainObject(nodes) || !Array.isArray(edges)) {
    return undefined
  }
  return {
    id: String(id),
    nodes: readNodes(catalog, nodes, [...at, 'nodes'], found),
    edges: readEdges(edges, [...at, 'edges'], found),
  }
}

/** Uses `fromEntries` instead of assignment, because a node id may be `__proto__`. */
const readNodes = (
  catalog: NodeCatalog,
  nodes: Record<string, unknown>,
  at: Loc,
  found: FaultList,
): Record<string, GraphNode> =>
  Object.fromEntries(
    Object.entries(nodes).flatMap(([key, input]) => {
      const node = readNode(catalog, input, [...at, key], found)
      return node === undefined ? [] : [[key, node]]
    }),
  )

const end = {
  type: 'object',
  properties: { node_id: { type: 'string' }, field: { type: 'string' } },
  required: ['node_id', 'field'],
}
const edgeSchema = {
  type: 'object',
  properties: { source: end, destination: end },
  required: ['source', 'destination'],
}

// The cast is safe: a fault in an edge makes `checkGraph` return before the edges are used.
const readEdges = (edges: readonly unknown[], at: Loc, found: FaultList): Edge[] =>
  edges.map((edge, index) => readValue(edgeSchema, edge, [...at, index], 'graph', found) as Edge)

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
