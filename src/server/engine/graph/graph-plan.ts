import type { Edge, Graph } from '#contract/queue/graph.ts'

/** A graph with its edges by node and its topological order. Uses maps because a node id may be `__proto__`. */
export interface GraphPlan {
  readonly graph: Graph
  readonly inputs: ReadonlyMap<string, readonly Edge[]>
  readonly outputs: ReadonlyMap<string, readonly Edge[]>
  /** Topological order: each node after the nodes that feed it. Otherwise in the order of the graph. */
  readonly order: readonly string[]
  /** True if `order` lacks nodes because they are part of a cycle. */
  readonly hasCycle: boolean
}

/** Plans a graph. All edges must end at existing nodes. */
export function planGraph(graph: Graph): GraphPlan {
  const ids = Object.keys(graph.nodes)
  const inputs = new Map<string, Edge[]>(ids.map((id) => [id, []]))
  const outputs = new Map<string, Edge[]>(ids.map((id) => [id, []]))
  for (const edge of graph.edges) {
    inputs.get(edge.destination.node_id)?.push(edge)
    outputs.get(edge.source.node_id)?.push(edge)
  }
  const waitsFor = new Map(ids.map((id) => [id, inputs.get(id)?.length ?? 0]))
  const order = ids.filter((id) => waitsFor.get(id) === 0)
  // Grows during the loop: a node is added when the last node that feeds it has been visited.
  for (const id of order) {
    for (const { destination } of outputs.get(id) ?? []) {
      const left = (waitsFor.get(destination.node_id) ?? 0) - 1
      waitsFor.set(destination.node_id, left)
      if (left === 0) order.push(destination.node_id)
    }
  }
  return { graph, inputs, outputs, order, hasCycle: order.length < ids.length }
}

/** Returns the edges that end at an input. */
export const edgesInto = (plan: GraphPlan, id: string, field: string): Edge[] =>
  (plan.inputs.get(id) ?? []).filter(({ destination }) => destination.field === field)

/** Returns the edges that begin at an output. */
export const edgesOutOf = (plan: GraphPlan, id: string, field: string): Edge[] =>
  (plan.outputs.get(id) ?? []).filter(({ source }) => source.field === field)
