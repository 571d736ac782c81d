import type { Edge, Graph } from '#contract/queue/graph.ts'

/** A graph as running and checking look at it. Ids are keys of maps, since a node may be called `__proto__`. */
export interface GraphPlan {
  readonly graph: Graph
  readonly inputs: ReadonlyMap<string, readonly Edge[]>
  readonly outputs: ReadonlyMap<string, readonly Edge[]>
  /** Each node after those that feed it; in the order of the graph where that leaves a choice. */
  readonly order: readonly string[]
  /** Whether nodes were left out of `order`, since they wait for each other. */
  readonly hasCycle: boolean
}

/** Lays out a graph whose edges end at nodes that exist. */
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
  // Grows while it is walked: a node is added when the last of those that feed it has been passed.
  for (const id of order) {
    for (const { destination } of outputs.get(id) ?? []) {
      const left = (waitsFor.get(destination.node_id) ?? 0) - 1
      waitsFor.set(destination.node_id, left)
      if (left === 0) order.push(destination.node_id)
    }
  }
  return { graph, inputs, outputs, order, hasCycle: order.length < ids.length }
}

/** The edges that end at an input. */
export const edgesInto = (plan: GraphPlan, id: string, field: string): Edge[] =>
  (plan.inputs.get(id) ?? []).filter(({ destination }) => destination.field === field)

/** The edges that begin at an output. */
export const edgesOutOf = (plan: GraphPlan, id: string, field: string): Edge[] =>
  (plan.outputs.get(id) ?? []).filter(({ source }) => source.field === field)
