import { isObject } from './parse-embedded-json.ts'

/** A node of the graph that ComfyUI ran. */
export interface ComfyuiNode {
  id: string
  type: string
  inputs: Record<string, unknown>
}

/** The nodes of a `prompt`, and how one leads to the next. */
export interface ComfyuiGraph {
  nodes: readonly ComfyuiNode[]
  /** The node that an input is linked to; null for a plain value. */
  linked(input: unknown): ComfyuiNode | null
  /**
   * The nodes that feed one, nearest first, itself included. `follows` says which inputs to go along.
   */
  upstream(
    start: ComfyuiNode | null,
    follows?: (input: string, node: ComfyuiNode) => boolean,
  ): Generator<ComfyuiNode>
  /** These nodes and all nodes that they feed, directly or through others. */
  downstream(starts: readonly ComfyuiNode[]): ReadonlySet<ComfyuiNode>
}

/** More nodes than anyone draws; a hostile file could name millions. */
const MAX_NODES = 5000

/** Reads a `prompt` object. null: it is none. */
export const comfyuiGraph = (prompt: Record<string, unknown>): ComfyuiGraph | null => {
  const nodes = new Map<string, ComfyuiNode>()
  for (const [id, node] of Object.entries(prompt).slice(0, MAX_NODES)) {
    if (!isObject(node) || typeof node.class_type !== 'string') continue
    nodes.set(id, { id, type: node.class_type, inputs: isObject(node.inputs) ? node.inputs : {} })
  }
  if (nodes.size === 0) return null

  const linked = (input: unknown): ComfyuiNode | null => {
    if (!Array.isArray(input) || input.length !== 2) return null
    const [id]: unknown[] = input
    return typeof id === 'string' || typeof id === 'number' ? (nodes.get(String(id)) ?? null) : null
  }
  return {
    nodes: [...nodes.values()],
    linked,
    upstream: function* (start, follows = () => true) {
      const seen = new Set(start === null ? [] : [start])
      for (const node of seen) {
        yield node
        for (const [input, value] of Object.entries(node.inputs)) {
          const next = follows(input, node) ? linked(value) : null
          // A set is walked in the order in which it grows: nearest first.
          if (next !== null) seen.add(next)
        }
      }
    },
    downstream: (starts) => {
      const fedBy = new Map<ComfyuiNode, ComfyuiNode[]>()
      for (const node of nodes.values()) {
        for (const input of Object.values(node.inputs)) {
          const source = linked(input)
          if (source === null) continue
          const fed = fedBy.get(source)
          if (fed === undefined) fedBy.set(source, [node])
          else fed.push(node)
        }
      }
      const seen = new Set(starts)
      for (const node of seen) for (const fed of fedBy.get(node) ?? []) seen.add(fed)
      return seen
    },
  }
}
