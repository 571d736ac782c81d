import { plainText } from '#server/storage/metadata/parse-embedded-json.ts'
import type { ComfyuiGraph, ComfyuiNode } from './graph.ts'

// Node packs name their inputs alike, so the names of inputs decide, not the names of thousands of nodes.

export type Side = 'positive' | 'negative'

/** Returns the side of a prompt that an input belongs to. null: the name does not say it. */
export const sideOf = (input: string): Side | null => {
  if (/(?:^|_)(?:neg|negative|uncond)(?:_|\d|$)|^negative/i.test(input)) return 'negative'
  return /(?:^|_)(?:pos|positive)(?:_|\d|$)|^positive/i.test(input) ? 'positive' : null
}

/** Returns true for an input that may contain the words of a prompt. */
export const isTextInput = (input: string): boolean =>
  /(?:^|_)(?:text|string|str|prompt|value|caption|tags|lyrics|phrase|content|sentence)s?(?:_?(?:[a-z]|\d{1,3}))?$/i.test(
    input,
  )
    ? !/system|find|search|tidy|exclude|instruction/i.test(input)
    : /^(?:clip_[gl]|t5xxl|llama|bert|mt5xl|prefix|suffix|prepend|append|text_(?:in|input|positive|negative))$/i.test(
        input,
      ) || /^(?:positive|negative|pos|neg)(?:_(?:prompt|text|[gl]))?$/i.test(input)

/** Returns true for a text of several words that is no file, size or option. */
export const isProse = (value: unknown): boolean =>
  typeof value === 'string' &&
  /\S[\s,]+\S+[\s,]+\S/.test(value.slice(0, 1000)) &&
  !/\.(?:safetensors|ckpt|gguf|pth?|png|jpe?g|webp|mp4|json)\s*$|^\d+ ?x ?\d+/i.test(
    value.slice(-1000),
  )

/** Returns the position of an input among inputs of the same name: `text_b` and `text2` are 2. 0: it has no number. */
const positionOf = (input: string): number => {
  if (/^(?:prefix|prepend)$/i.test(input)) return -1
  if (/^(?:suffix|append)$/i.test(input)) return 1000
  const digits = /(\d{1,3})$/.exec(input)?.[1]
  if (digits !== undefined) return Number(digits)
  const letter = /_([a-z])$/i.exec(input)?.[1]
  return letter === undefined ? 0 : letter.toLowerCase().charCodeAt(0) - 96
}

const rankOf = (input: string): number => positionOf(input) - (/cond/i.test(input) ? 2000 : 0)

/** Sorts inputs: ComfyUI writes plain values before links. A node that adds a text to a conditioning adds it at the end. */
export const inOrder = (inputs: readonly string[]): string[] =>
  inputs.toSorted((a, b) => rankOf(a) - rankOf(b))

const SELECTOR =
  /^(?:select|selected|switch|boolean|bool|cond|condition|index|idx|input|any|which|choice|select_input|selected_index|selector|use_first)$/i

/** Returns the input that a switch passes on. null: the node is no switch, or what it selects is unknown. */
export const selectedInput = (
  graph: ComfyuiGraph,
  { type, inputs }: ComfyuiNode,
  valueAt: (input: unknown) => unknown,
): string | null => {
  const names = Object.keys(inputs)
  const selector = names.find((name) => SELECTOR.test(name))
  if (selector === undefined) {
    // Switches of this kind pass on the first branch that exists; disabled ones are not written.
    if (!/^(?:any|context) ?switch/i.test(type)) return null
    return inOrder(names.filter((name) => graph.linked(inputs[name]) !== null))[0] ?? null
  }
  const branches = names.filter((name) => name !== selector && !/^(?:sel_mode|mode)$/.test(name))
  if (branches.length === 0) return null
  const value = valueAt(inputs[selector])
  if (typeof value === 'boolean' || value === 'true' || value === 'false') {
    const isTrue = value === true || value === 'true'
    const yes = /(?:^|_)(?:true|tt|then|a)(?:_|$)|1$/i
    const no = /(?:^|_)(?:false|ff|else|b)(?:_|$)|2$/i
    return branches.find((name) => (isTrue ? yes : no).test(name)) ?? null
  }
  if (typeof value === 'string' && branches.includes(value)) return value
  const number =
    typeof value === 'number' || /^\d{1,3}$/.test(plainText(value)) ? Number(value) : -1
  return branches.find((name) => /\d$/.test(name) && positionOf(name) === number) ?? null
}
