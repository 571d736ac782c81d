import type { NodeOutput } from '#contract/graph.ts'
import { listFor } from './fill-inputs.ts'
import type { PreparedNode } from './prepared-node.ts'

/**
 * What `if`, `iterate` and `collect` give: they move values and compute nothing, so that they need no process
 * of their own. `null` for every other type.
 */
export function runControlNode(
  prepared: PreparedNode,
  results: ReadonlyMap<PreparedNode, NodeOutput>,
): NodeOutput | null {
  const { definition, node, path } = prepared
  const { type } = definition.output
  if (node.type === 'if') {
    return { type, value: (node.condition ? node.true_input : node.false_input) ?? null }
  }
  if (node.type === 'collect') return { type, collection: node.collection }
  if (node.type !== 'iterate') return null
  const index = path.at(-1) ?? 0
  const list = listFor(prepared, results)
  return { type, item: list[index], index, total: list.length }
}
