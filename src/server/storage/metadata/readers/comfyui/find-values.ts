import { memberOf } from '#server/storage/metadata/normal-fields.ts'
import { type ComfyuiGraph, type ComfyuiNode, evaluate, type Rule, upstream } from './graph.ts'
import { inOrder, selectedInput } from './inputs.ts'

/** A setting: the inputs that may contain it, and how to read one. */
export interface Setting<T> {
  inputs: readonly string[]
  read(value: unknown): T | null
}

const GENERIC = /^(?:value|int|integer|float|number|num|string|text|any|input|a|output)$/i

/** Returns a plain value; some loaders write a file as `{content: "a.safetensors", image: null}`. */
const plain = (value: unknown): unknown => memberOf(value, 'content') ?? value

/** Opens a reader of single values, which follows links through primitives, reroutes and switches. */
export const valueReader = (graph: ComfyuiGraph) => {
  const memos = new Map<Setting<unknown>, Map<ComfyuiNode, unknown>>()

  const memoOf = (setting: Setting<unknown>): Map<ComfyuiNode, unknown> => {
    const memo = memos.get(setting) ?? new Map<ComfyuiNode, unknown>()
    memos.set(setting, memo)
    return memo
  }

  const ruleOf = (setting: Setting<unknown>): Rule<unknown> =>
    function* (node) {
      const { inputs } = node
      // The result of a calculation is unknown, and its operands are not the value.
      if (Object.keys(inputs).some((name) => /^(?:expression|op|operation|operator)$/i.test(name)))
        return null
      const selected = selectedInput(graph, node, plain)
      const named = Object.keys(inputs).filter((name) =>
        setting.inputs.includes(name.toLowerCase()),
      )
      const generic = inOrder(Object.keys(inputs).filter((name) => GENERIC.test(name)))
      for (const name of selected === null ? [...named, ...generic] : [selected]) {
        const source = graph.linked(inputs[name])
        const value = source === null ? setting.read(plain(inputs[name])) : yield source
        if (value !== null) return value
      }
      const links = Object.values(inputs).flatMap((value) => graph.linked(value) ?? [])
      const plainValues = Object.values(inputs).flatMap((value) => setting.read(plain(value)) ?? [])
      if (links.length === 0 && plainValues.length === 1) return plainValues[0]
      const [only] = links
      return links.length === 1 && only !== undefined && plainValues.length === 0
        ? yield only
        : null
    }

  /** Returns the value of an input, also if it is linked. null: unknown. */
  const valueAt = <T>(input: unknown, setting: Setting<T>): T | null => {
    const source = graph.linked(input)
    if (source === null) return setting.read(plain(input))
    return setting.read(evaluate(source, ruleOf(setting), memoOf(setting)))
  }

  return {
    valueAt,
    /** Returns the nearest value of a setting, upstream of a node. */
    nearest: <T>(nodes: Iterable<ComfyuiNode>, setting: Setting<T>): T | null => {
      for (const { inputs } of nodes) {
        for (const name of setting.inputs) {
          const value = name in inputs ? valueAt(inputs[name], setting) : null
          if (value !== null) return value
        }
      }
      return null
    },
  }
}

export type ValueReader = ReturnType<typeof valueReader>

/** Nodes with settings of a sampler: noise, sigmas, schedulers, guiders and pipes, but nothing behind an image, a model or a prompt. */
export const settingNodes = (
  graph: ComfyuiGraph,
  sampler: ComfyuiNode,
  isSampler: (node: ComfyuiNode) => boolean,
): ComfyuiNode[] => {
  const behind =
    /positive|negative|cond|latent|vae|clip|image|samples|model|pixel|mask|lora|text|prompt|control|embed/i
  return [
    ...upstream(
      graph,
      [sampler],
      (input, node) => (node === sampler || !isSampler(node)) && !behind.test(input),
    ),
  ].filter((node) => node === sampler || !isSampler(node))
}
