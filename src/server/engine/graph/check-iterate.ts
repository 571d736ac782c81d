import type { CollectedTypes } from './check-collect.ts'
import type { EdgeTypes } from './check-connections.ts'
import { type FieldType, fits } from './field-type.ts'
import { edgesInto, edgesOutOf, type GraphPlan } from './graph-plan.ts'

/** What is wrong with how an `iterate` is connected, in InvokeAI's words; null: nothing (wire 9.1). */
export function checkIterate(
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
