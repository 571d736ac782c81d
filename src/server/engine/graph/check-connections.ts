import type { Edge, Graph } from '#contract/graph.ts'
import type { NodeDefinition } from '#server/engine/define-node.ts'
import { checkCollect, collectedTypes } from './check-collect.ts'
import { checkIterate } from './check-iterate.ts'
import { type FieldType, fieldTypeOf, fits } from './field-type.ts'
import { planGraph } from './graph-plan.ts'
import type { NodeCatalog } from './node-catalog.ts'
import { fieldsOf, outputsOf } from './node-fields.ts'

/** The types at the two ends of an edge that was found to have both. */
export interface EdgeTypes {
  from(edge: Edge): FieldType
  to(edge: Edge): FieldType
}

/** The first rule of wire 9.1 that a graph of known nodes breaks, in InvokeAI's words; null: none. */
export function checkConnections(catalog: NodeCatalog, graph: Graph): string | null {
  for (const [key, { id }] of Object.entries(graph.nodes)) {
    if (key !== id) return `Node ids must match, got ${key} and ${id}`
  }
  const definitions = new Map(
    Object.entries(graph.nodes).map(([id, { type }]) => [id, catalog.get(type)]),
  )
  for (const edge of graph.edges) {
    const fault = checkEnds(definitions, edge)
    if (fault !== null) return fault
  }
  const plan = planGraph(graph)
  if (plan.hasCycle) return 'Graph contains cycles'
  const types = edgeTypesOf(definitions)
  const misfit = graph.edges.find((edge) => !fits(types.from(edge), types.to(edge)))
  if (misfit) return `Edge source and target types do not match (${nameOf(misfit)})`

  const collected = collectedTypes(plan, types)
  for (const { id, type } of Object.values(graph.nodes)) {
    const fault =
      type === 'iterate'
        ? checkIterate(plan, id, types, collected)
        : type === 'collect'
          ? checkCollect(plan, id, types, collected)
          : null
    if (fault !== null) {
      return `Invalid ${type === 'iterate' ? 'iterator' : 'collector'} node (${id}): ${fault}`
    }
  }
  return null
}

const nameOf = ({ source, destination }: Edge) =>
  `${source.node_id}.${source.field} -> ${destination.node_id}.${destination.field}`

function checkEnds(
  definitions: ReadonlyMap<string, NodeDefinition | undefined>,
  { source, destination }: Edge,
): string | null {
  const from = definitions.get(source.node_id)
  const to = definitions.get(destination.node_id)
  if (!from) return `Edge source node ${source.node_id} does not exist in the graph`
  if (!to) return `Edge destination node ${destination.node_id} does not exist in the graph`
  if (!Object.hasOwn(outputsOf(from), source.field)) {
    return `Edge source field ${source.field} does not exist in node ${source.node_id}`
  }
  if (!fieldsOf(to).has(destination.field)) {
    return `Edge destination field ${destination.field} does not exist in node ${destination.node_id}`
  }
  return null
}

function edgeTypesOf(definitions: ReadonlyMap<string, NodeDefinition | undefined>): EdgeTypes {
  const known = new Map<string, FieldType>()
  const typeOf = (key: string, make: () => FieldType) => {
    const type = known.get(key) ?? make()
    known.set(key, type)
    return type
  }
  const nothing = {}
  return {
    from: ({ source: { node_id, field } }) => {
      const definition = definitions.get(node_id)
      return typeOf(`${definition?.type} gives ${field}`, () =>
        fieldTypeOf((definition && outputsOf(definition)[field]) ?? nothing),
      )
    },
    to: ({ destination: { node_id, field } }) => {
      const definition = definitions.get(node_id)
      return typeOf(`${definition?.type} takes ${field}`, () =>
        fieldTypeOf((definition && fieldsOf(definition).get(field)?.schema) ?? nothing),
      )
    },
  }
}
