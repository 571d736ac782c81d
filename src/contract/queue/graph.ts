import Type, { type Static } from 'typebox'
import { Nullable } from '#contract/schema.ts'

/** Reference to an image that a node reads or created. */
export const ImageField = Type.Object({
  image_name: Type.String({ description: 'Exactly as listed' }),
})
export type ImageField = Static<typeof ImageField>

/** Board that a node saves to. `none` and an unknown board mean uncategorized. */
export const BoardField = Type.Object({ board_id: Type.String() })
export type BoardField = Static<typeof BoardField>

const Channel = Type.Integer({ minimum: 0, maximum: 255 })

/** A color. Each channel is between 0 and 255. */
export const ColorField = Type.Object({ r: Channel, g: Channel, b: Channel, a: Channel })
export type ColorField = Static<typeof ColorField>

/** A rectangle in pixels. */
export const BoundingBoxField = Type.Object({
  x_min: Type.Integer(),
  x_max: Type.Integer(),
  y_min: Type.Integer(),
  y_max: Type.Integer(),
  score: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1 }))),
})
export type BoundingBoxField = Static<typeof BoundingBoxField>

/** One end of an edge: an output or an input of a node. */
export const EdgeEnd = Type.Object({ node_id: Type.String(), field: Type.String() })
export type EdgeEnd = Static<typeof EdgeEnd>

/** Connection from an output of one node to an input of another. */
export const Edge = Type.Object({ source: EdgeEnd, destination: EdgeEnd })
export type Edge = Static<typeof Edge>

/** Fields of all nodes. The inputs of the node's type are additional properties. */
export const GraphNode = Type.Object(
  {
    id: Type.String(),
    type: Type.String({ examples: ['save_image', 'img_resize'] }),
    is_intermediate: Type.Boolean({ default: false }),
    use_cache: Type.Boolean({ default: true }),
  },
  { additionalProperties: true },
)
export type GraphNode = Static<typeof GraphNode> & Record<string, unknown>

/** A graph to run, with defaults filled in. */
export const Graph = Type.Object({
  id: Type.String(),
  nodes: Type.Record(Type.String(), GraphNode),
  edges: Type.Array(Edge),
})
export type Graph = Omit<Static<typeof Graph>, 'nodes'> & { nodes: Record<string, GraphNode> }

/** Output of a node: `type`, and the fields of that output type. */
export const NodeOutput = Type.Object({ type: Type.String() }, { additionalProperties: true })
export type NodeOutput = Static<typeof NodeOutput> & Record<string, unknown>

/**
 * State of a graph execution. It is set when the queue item ends.
 *
 * "Prepared" nodes are the executed nodes: each node of the graph is executed once or, after an `iterate`,
 * several times.
 */
export const GraphSession = Type.Object({
  id: Type.String(),
  graph: Graph,
  execution_graph: Graph,
  executed: Type.Array(Type.String(), {
    description: 'Nodes of both graphs in no particular order',
  }),
  executed_history: Type.Array(Type.String(), {
    description: 'Nodes of `graph` in the order of their completion',
  }),
  results: Type.Record(Type.String(), NodeOutput, { description: 'By prepared node' }),
  errors: Type.Record(Type.String(), Type.String(), {
    description: 'By prepared node: `Type: message`',
  }),
  prepared_source_mapping: Type.Record(Type.String(), Type.String()),
  source_prepared_mapping: Type.Record(Type.String(), Type.Array(Type.String())),
  prepared_iteration_paths: Type.Record(Type.String(), Type.Array(Type.Integer())),
  ready_order: Type.Array(Type.String()),
  indegree: Type.Record(Type.String(), Type.Integer()),
  workflow_call_stack: Type.Array(Type.Unknown()),
  workflow_call_history: Type.Array(Type.Unknown()),
  workflow_call_parent: Type.Null(),
  waiting_workflow_call: Type.Null(),
  waiting_workflow_call_execution: Type.Null(),
  waiting_workflow_call_child_session: Type.Null(),
  max_workflow_call_depth: Type.Integer(),
})
export type GraphSession = Omit<
  Static<typeof GraphSession>,
  'graph' | 'execution_graph' | 'results'
> & {
  graph: Graph
  execution_graph: Graph
  results: Record<string, NodeOutput>
}
