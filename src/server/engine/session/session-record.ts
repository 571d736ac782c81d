import { randomUUID } from 'node:crypto'
import type { Graph, GraphSession } from '#contract/queue/graph.ts'
import type { PreparedNode } from './prepared-node.ts'
import type { SessionState } from './session-state.ts'

/** InvokeAI's limit. This server does not call workflows. */
const MAX_WORKFLOW_CALL_DEPTH = 4

/** Returns the session of a job that has not run yet. */
export const newSession = (id: string, graph: Graph): GraphSession => ({
  id,
  graph,
  execution_graph: { id: randomUUID(), nodes: {}, edges: [] },
  executed: [],
  executed_history: [],
  results: {},
  errors: {},
  prepared_source_mapping: {},
  source_prepared_mapping: {},
  prepared_iteration_paths: {},
  ready_order: [],
  indegree: {},
  workflow_call_stack: [],
  workflow_call_history: [],
  workflow_call_parent: null,
  waiting_workflow_call: null,
  waiting_workflow_call_execution: null,
  waiting_workflow_call_child_session: null,
  max_workflow_call_depth: MAX_WORKFLOW_CALL_DEPTH,
})

const byId = <Value>(
  prepared: readonly PreparedNode[],
  of: (node: PreparedNode) => Value,
): Record<string, Value> => Object.fromEntries(prepared.map((node) => [node.node.id, of(node)]))

/** Returns the session of a job after its run. */
export function sessionRecord(id: string, graph: Graph, state: SessionState): GraphSession {
  const { prepared } = state.expansion
  const sources = state.plan.order
  return {
    ...newSession(id, graph),
    execution_graph: {
      id: randomUUID(),
      nodes: byId(prepared, ({ node }) => node),
      edges: prepared.flatMap(({ node, inputs }) =>
        inputs.map((edge) => ({
          source: { node_id: edge.source.node.id, field: edge.sourceField },
          destination: { node_id: node.id, field: edge.field },
        })),
      ),
    },
    executed: [
      ...sources.filter((source) => state.isSourceExecuted(source)),
      ...prepared.filter(({ isExecuted }) => isExecuted).map(({ node }) => node.id),
    ],
    executed_history: state.history,
    results: Object.fromEntries([...state.results].map(([{ node }, result]) => [node.id, result])),
    errors: Object.fromEntries([...state.errors].map(([{ node }, error]) => [node.id, error])),
    prepared_source_mapping: byId(prepared, ({ sourceId }) => sourceId),
    source_prepared_mapping: Object.fromEntries(
      sources.flatMap((source) => {
        const copies = state.expansion.copiesOf(source)
        return copies ? [[source, copies.map(({ node }) => node.id)]] : []
      }),
    ),
    prepared_iteration_paths: byId(prepared, ({ path }) => [...path]),
    indegree: byId(prepared, ({ unmet }) => unmet),
  }
}
