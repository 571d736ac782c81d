import type { EdgeTypes } from './check-connections.ts'
import { type FieldType, fits, isSubclass, itemTypesOf, keyOf, membersOf } from './field-type.ts'
import { edgesInto, edgesOutOf, type GraphPlan } from './graph-plan.ts'

/** What a `collect` holds: null where nothing tells, any where several types or none in particular. */
export type CollectedTypes = (id: string) => FieldType | null

const any: FieldType = { kind: 'any' }

/** Works out what each `collect` holds, those included that are fed by others. */
export function collectedTypes(plan: GraphPlan, types: EdgeTypes): CollectedTypes {
  const items = new Map<string, readonly FieldType[]>()
  // In the order of the graph, so that a collect comes after those that feed it.
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

/** The types that are subclass of no other. Any says nothing. */
const rootsOf = (types: readonly FieldType[]): FieldType[] => {
  const named = types.filter(({ kind }) => kind !== 'any')
  return named.filter((type) => !named.some((other) => other !== type && isSubclass(type, other)))
}

const isListOrAny = (type: FieldType) => type.kind === 'any' || itemTypesOf(type).length > 0

/** What is wrong with how a `collect` is connected, in InvokeAI's words; null: nothing (wire 9.1). */
export function checkCollect(
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
