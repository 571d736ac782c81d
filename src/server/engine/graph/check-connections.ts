import type { Edge, Graph } from '#contract/queue/graph.ts'
import type { NodeDefinition } from '#server/engine/define-node.ts'
import {
  type FieldType,
  fieldTypeOf,
  fits,
  isSubclass,
  itemTypesOf,
  keyOf,
  membersOf,
} from './field-type.ts'
import { edgesInto, edgesOutOf, type GraphPlan, planGraph } from './graph-plan.ts'
import type { NodeCatalog } from './node-catalog.ts'
import { fieldsOf, outputsOf } from './node-fields.ts'

/** The types at the two ends of an edge. Both ends must exist. */
export interface EdgeTypes {
  from(edge: Edge): FieldType
  to(edge: Edge): FieldType
}

/** Returns InvokeAI's message for the first rule that the graph breaks, or null. All node types must be known. */
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

/** Returns InvokeAI's message for invalid connections of an `iterate`, or null. */
function checkIterate(
  plan: GraphPlan,
  id: string,
  types: EdgeTypes,
  collected: CollectedTypes,
): string | null {
  const [input, ...more] = edgesInto(plan, id, 'collection')
  if (input === undefined) return 'Iterator must have a collection input edge'
  if (more.length > 0) return 'Iterator may only have one input edge'
  const from = types.from(input)
  if (from.kind !== 'list') return 'Iterator input must be a collection'

  const outputs = edgesOutOf(plan, id, 'item').map(types.to)
  const isFittedBy = (item: FieldType) => outputs.every((output) => fits(item, output))
  if (!isFittedBy(from.item)) {
    return 'Iterator outputs must connect to an input with a matching type'
  }
  const source = input.source.node_id
  if (plan.graph.nodes[source]?.type !== 'collect') return null
  const root = collected(source)
  if (root === null) {
    return 'Iterator input collector must have at least one item or collection input edge'
  }
  return isFittedBy(root) ? null : 'Iterator collection type must match all iterator output types'
}

/** Returns the item type of a `collect`: null if unknown, any if mixed or unspecific. */
type CollectedTypes = (id: string) => FieldType | null

const any: FieldType = { kind: 'any' }

/** Determines the item type of each `collect`, including chains of them. */
function collectedTypes(plan: GraphPlan, types: EdgeTypes): CollectedTypes {
  const items = new Map<string, readonly FieldType[]>()
  // In topological order, so that a collect comes after the nodes that feed it.
  for (const id of plan.order) {
    if (plan.graph.nodes[id]?.type === 'collect') items.set(id, itemsOf(plan, id, types, items))
  }
  return (id) => {
    const found = items.get(id) ?? []
    const roots = rootsOf(found)
    return found.length === 0 ? null : roots.length === 1 ? (roots[0] ?? any) : any
  }
}

function itemsOf(
  plan: GraphPlan,
  id: string,
  types: EdgeTypes,
  known: ReadonlyMap<string, readonly FieldType[]>,
): FieldType[] {
  const single = edgesInto(plan, id, 'item').flatMap((edge) => membersOf(types.from(edge)))
  const lists = edgesInto(plan, id, 'collection').flatMap((edge) => {
    const type = types.from(edge)
    return known.get(edge.source.node_id) ?? (type.kind === 'any' ? [any] : itemTypesOf(type))
  })
  return [...new Map([...single, ...lists].map((type) => [keyOf(type), type])).values()]
}

/** Returns the types that are not subclasses of another one. Any is ignored. */
const rootsOf = (types: readonly FieldType[]): FieldType[] => {
  const named = types.filter(({ kind }) => kind !== 'any')
  return named.filter((type) => !named.some((other) => other !== type && isSubclass(type, other)))
}

const isListOrAny = (type: FieldType) => type.kind === 'any' || itemTypesOf(type).length > 0

/** Returns InvokeAI's message for invalid connections of a `collect`, or null. */
function checkCollect(
  plan: GraphPlan,
  id: string,
  types: EdgeTypes,
  collected: CollectedTypes,
): string | null {
  const lists = edgesInto(plan, id, 'collection')
  if (lists.length === 0 && edgesInto(plan, id, 'item').length === 0) {
    return 'Collector must have at least one item or collection input edge'
  }
  if (!lists.every((edge) => isListOrAny(types.from(edge)))) {
    return 'Collector collection input must be a collection'
  }
  const known = new Map(
    lists.flatMap(({ source }) => {
      const type = collected(source.node_id)
      return type === null ? [] : [[source.node_id, [type]] as const]
    }),
  )
  const roots = rootsOf(itemsOf(plan, id, types, known))
  if (roots.length > 1) return 'Collector input collection items must be of a single type'

  const outputs = edgesOutOf(plan, id, 'collection')
  if (!outputs.every((edge) => isListOrAny(types.to(edge)))) {
    return 'Collector output must connect to a collection input'
  }
  const [root = any] = roots
  const isMatched = outputs.every((edge) => {
    const target = types.to(edge)
    const { node_id } = edge.destination
    const next = plan.graph.nodes[node_id]?.type === 'collect' ? collected(node_id) : null
    if (next !== null && !fits(root, next)) return false
    return target.kind === 'any' || itemTypesOf(target).some((item) => fits(root, item))
  })
  return isMatched
    ? null
    : 'Collector outputs must connect to a collection input with a matching type'
}
