import { isObject } from '#server/storage/metadata/parse-embedded-json.ts'

/** A node of the graph that ComfyUI ran. `inputs` has plain values, and links as `[node ID, output]`. */
export interface ComfyuiNode {
  id: string
  type: string
  inputs: Record<string, unknown>
}

/** The nodes of a graph and their links. */
export interface ComfyuiGraph {
  nodes: readonly ComfyuiNode[]
  /** Returns the node that an input is linked to. null: the input is a plain value. */
  linked(input: unknown): ComfyuiNode | null
}

/** More nodes than real workflows have. A hostile file could contain millions. */
const MAX_NODES = 10_000
/** Of one node. Real nodes have fewer than a hundred. */
const MAX_INPUTS = 500

/** Parses a `prompt` object. null: it has no nodes. */
export const comfyuiGraph = (prompt: Record<string, unknown>): ComfyuiGraph | null => {
  const nodes = new Map<string, ComfyuiNode>()
  for (const [id, node] of Object.entries(prompt).slice(0, MAX_NODES)) {
    if (!isObject(node) || typeof node.class_type !== 'string') continue
    const inputs = isObject(node.inputs) ? Object.entries(node.inputs).slice(0, MAX_INPUTS) : []
    nodes.set(id, { id, type: node.class_type, inputs: Object.fromEntries(inputs) })
  }
  if (nodes.size === 0) return null
  return {
    nodes: [...nodes.values()],
    linked: (input) => {
      if (!Array.isArray(input) || input.length !== 2) return null
      const [id]: unknown[] = input
      const isId = typeof id === 'string' || typeof id === 'number'
      return isId ? (nodes.get(String(id)) ?? null) : null
    },
  }
}

/** Computes a value of one node. Yields a source to get its value, or null if that source is part of a cycle. */
export type Rule<T> = (node: ComfyuiNode) => Generator<ComfyuiNode, T, T | null>

/**
 * Applies a rule to a node and its sources. Each node is computed once per memo, and chains of any length need no
 * recursion, so that hostile graphs take linear time and cannot overflow the stack.
 */
export const evaluate = <T>(
  start: ComfyuiNode,
  rule: Rule<T>,
  memo: Map<ComfyuiNode, T>,
): T | null => {
  const open = new Map<ComfyuiNode, ReturnType<Rule<T>>>()
  const stack: ComfyuiNode[] = []
  let wanted: ComfyuiNode | null = start
  let answer: T | null = null
  do {
    if (wanted !== null) {
      answer = memo.get(wanted) ?? null
      if (!memo.has(wanted) && !open.has(wanted)) {
        open.set(wanted, rule(wanted))
        stack.push(wanted)
      }
    }
    const top = stack.at(-1)
    const steps = top === undefined ? undefined : open.get(top)
    if (top === undefined || steps === undefined) break
    const step = steps.next(answer)
    wanted = step.done === true ? null : step.value
    if (step.done !== true) continue
    answer = step.value
    memo.set(top, step.value)
    open.delete(top)
    stack.pop()
  } while (stack.length > 0)
  return answer
}

/** Yields a node and all nodes that feed it, nearest first. `follows` selects the inputs to follow. */
export function* upstream(
  graph: ComfyuiGraph,
  starts: readonly ComfyuiNode[],
  follows: (input: string, node: ComfyuiNode) => boolean,
): Generator<ComfyuiNode, void, undefined> {
  const seen = new Set(starts)
  // A set is iterated in insertion order, including nodes added during the loop, so the nearest come first.
  for (const node of seen) {
    yield node
    for (const [input, value] of Object.entries(node.inputs)) {
      const next = follows(input, node) ? graph.linked(value) : null
      if (next !== null) seen.add(next)
    }
  }
}
