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
  }
}
