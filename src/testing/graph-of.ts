import type { Graph, GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import type { EngineListener, GraphEngine } from '#server/core/queue/engine-ports.ts'

/** Parses an edge such as `a.value -> b.x`. */
const edgeOf = (text: string) => {
  const [source, destination] = text.split(' -> ').map((end) => {
    const dot = end.lastIndexOf('.')
    return { node_id: end.slice(0, dot), field: end.slice(dot + 1) }
  })
  return { source, destination }
}

/** Creates a graph as a client submits it: nodes by their ids, edges as `a.value -> b.x`. */
export const graphOf = (
  nodes: Record<string, { type: string } & Record<string, unknown>>,
  edges: readonly string[] = [],
) => ({
  id: 'graph',
  nodes: Object.fromEntries(Object.entries(nodes).map(([id, node]) => [id, { id, ...node }])),
  edges: edges.map(edgeOf),
})

/** Returns the checked graph. @throws The graph is invalid. */
export function checkedGraph(engine: Pick<GraphEngine, 'check'>, graph: unknown): Graph {
  const checked = engine.check(graph, ['body', 'batch', 'graph'])
  if ('faults' in checked) throw new Error(JSON.stringify(checked.faults))
  return checked.graph
}

/** Records the events of a run as lines, and the results by the ids of the submitted graph. */
export class RecordingListener implements EngineListener {
  readonly lines: string[] = []
  readonly started: GraphNode[] = []
  readonly results: [sourceId: string, result: NodeOutput][] = []
  readonly #onStarted: (sourceId: string) => unknown

  constructor(onStarted: (sourceId: string) => unknown = () => undefined) {
    this.#onStarted = onStarted
  }

  onStarted: EngineListener['onStarted'] = ({ invocation, sourceId }) => {
    this.lines.push(`started ${sourceId}`)
    this.started.push(invocation)
    this.#onStarted(sourceId)
  }

  onProgress: EngineListener['onProgress'] = ({ sourceId }, { message }) => {
    this.lines.push(`progress ${sourceId}: ${message}`)
  }

  onComplete: EngineListener['onComplete'] = ({ sourceId }, result) => {
    this.lines.push(`complete ${sourceId}`)
    this.results.push([sourceId, result])
  }

  onError: EngineListener['onError'] = ({ sourceId }, { type }) => {
    this.lines.push(`error ${sourceId}: ${type}`)
  }

  /** Returns the outputs of all copies of a node in the order of completion. */
  outputsOf(sourceId: string, field = 'value'): unknown[] {
    return this.results.filter(([id]) => id === sourceId).map(([, result]) => result[field])
  }
}
