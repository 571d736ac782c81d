import { textOf } from '#server/storage/metadata/normal-fields.ts'
import { type ComfyuiGraph, type ComfyuiNode, evaluate, type Rule } from './graph.ts'
import { inOrder, isProse, isTextInput, type Side, selectedInput, sideOf } from './inputs.ts'

/** Of the parts of one prompt: regions, encoders, areas. */
const MAX_PARTS = 64
/** Characters of all joined texts. Each node of a hostile graph could double a text. */
const MAX_JOINED = 2_000_000
const MAX_LENGTH = 50_000

/** Inputs that lead to a picture, a model or a number, not to the words of a prompt. */
const NO_TEXT =
  /model|vae|image|latent|samples|pixel|mask|control_?net|lora|ipadapter|seed|steps|cfg|width|height|audio|video|sampler|sigmas|noise|scheduler|delim|separator|batch|clip(?!_[gl]$)/i

/** Programs that write or describe. Their instructions are no prompt of the image. */
const WRITER =
  /ollama|llm|claude|florence|interrogat|tagger|joy_?caption|vlm|qwen.?vl|describe|moondream|llava|blip|groq|chatgpt/i

/**
 * The side that a walk looks for. `unclaimed`: the negative side, before the walk has passed an input of that side.
 * Until then, other texts belong to the positive side.
 */
type Search = Side | 'unclaimed'

const distinct = (parts: readonly string[]): string[] => [...new Set(parts)].slice(0, MAX_PARTS)

/** Appends with a space, unless there is already white space. */
const appended = (text: string, next: string): string =>
  /\s$/.test(text.slice(-1)) || /^\s/.test(next.slice(0, 1)) ? text + next : `${text} ${next}`

/** Returns how a node joins its texts. null: it passes them on as separate parts. */
const joinOf = ({ type, inputs }: ComfyuiNode): ((a: string, b: string) => string) | null => {
  const name = Object.keys(inputs).find((input) =>
    /^(?:delimiter|separator|delim|sep|joiner|join_with)$/i.test(input),
  )
  const written = name === undefined ? undefined : inputs[name]
  if (typeof written === 'string') {
    const delimiter = written.slice(0, 100).replaceAll('\\n', '\n').replaceAll('\\t', '\t')
    return (a, b) => a + delimiter + b
  }
  if (inputs.tidy_tags === 'yes') return (a, b) => `${a}, ${b}`
  return /concat|join|append|merge|prefix|suffix|string ?function/i.test(type) &&
    !/conditioning/i.test(type)
    ? appended
    : null
}

/** Returns a text with what a text node replaces in it. */
const replaced = (text: string, { inputs }: ComfyuiNode): string => {
  const { find, replace } = inputs
  if (typeof find !== 'string' || typeof replace !== 'string' || find === '') return text
  // Many short matches and a long replacement would exhaust memory.
  return replace.length > 1000 ? text : text.replaceAll(find, () => replace).slice(0, MAX_LENGTH)
}

const plainText = (value: unknown): string[] =>
  typeof value === 'string' && value.trim() !== '' ? [value.slice(0, MAX_LENGTH)] : []

/** Opens a reader of the texts that reach a node. */
export const textReader = (graph: ComfyuiGraph, plainValue: (input: unknown) => unknown) => {
  const memos = {
    positive: new Map<ComfyuiNode, string[]>(),
    negative: new Map<ComfyuiNode, string[]>(),
    unclaimed: new Map<ComfyuiNode, string[]>(),
  }
  let left = MAX_JOINED

  const join = (node: ComfyuiNode, texts: readonly string[]): string[] => {
    const joined = joinOf(node)
    if (joined === null || texts.length < 2) return distinct(texts)
    const whole = texts.reduce((a, b) => (a.length > MAX_LENGTH || left < 0 ? a : joined(a, b)))
    left -= whole.length
    return [whole.slice(0, MAX_LENGTH)]
  }

  /** Returns inputs of a node in which the words of a side may be. */
  const inputsFor = (node: ComfyuiNode, search: Search): { names: string[]; others: string[] } => {
    const names = inOrder(
      Object.keys(node.inputs).filter((name) =>
        graph.linked(node.inputs[name]) === null ? isTextInput(name) : !NO_TEXT.test(name),
      ),
    )
    const side: Side = search === 'positive' ? 'positive' : 'negative'
    const own = names.filter((name) => sideOf(name) === side)
    const neutral = names.filter((name) => sideOf(name) === null)
    const opposite = names.filter((name) => sideOf(name) !== null && sideOf(name) !== side)
    if (search === 'unclaimed') {
      const links = neutral.filter((name) => graph.linked(node.inputs[name]) !== null)
      return { names: own, others: links.filter((name) => !/cond/i.test(name)) }
    }
    // A node for one side may be used on the other one.
    const words = opposite.filter((name) => graph.linked(node.inputs[name]) === null)
    return own.length > 0
      ? { names: own, others: neutral }
      : { names: neutral, others: words.length === opposite.length ? words : [] }
  }

  const ruleOf = (search: Search): Rule<string[]> =>
    function* (node) {
      const { inputs, type } = node
      if (/zero_?out/i.test(type) || WRITER.test(type)) return []
      const selected = selectedInput(graph, node, plainValue)
      const groups = selected === null ? groupsOf(inputsFor(node, search), node) : [[selected]]
      for (const group of groups) {
        const texts: string[] = []
        for (const name of group) {
          const source = graph.linked(inputs[name])
          if (source === null) texts.push(...plainText(inputs[name]))
          else if (search === 'unclaimed' && sideOf(name) !== null)
            texts.push(...evaluateOn(source, 'negative'))
          else texts.push(...((yield source) ?? []))
        }
        if (texts.length > 0)
          return join(
            node,
            texts.map((text) => replaced(text, node)),
          )
      }
      return []
    }

  /** Orders inputs: expanded wildcards before their template, a link before the text that a node showed in an earlier run. */
  const groupsOf = (
    { names, others }: { names: string[]; others: string[] },
    { inputs }: ComfyuiNode,
  ): string[][] => {
    const isShown = (name: string) => /^text_?\d$/.test(name) && graph.linked(inputs[name]) === null
    const isDisplay = graph.linked(inputs.text) !== null
    const isLater = (name: string) =>
      name === 'wildcard_text' || name === 'template' || (isDisplay && isShown(name))
    const first = names.filter((name) => name === 'populated_text')
    const second = names.filter((name) => name !== 'populated_text' && !isLater(name))
    return [first, second, names.filter(isLater), others]
  }

  const evaluateOn = (node: ComfyuiNode, search: Search): string[] =>
    evaluate(node, ruleOf(search), memos[search]) ?? []

  return {
    /** Returns the distinct texts of one side that reach a node. null: there are none. */
    promptOf: (node: ComfyuiNode, side: Side): string | null => {
      const parts = evaluateOn(node, side === 'negative' ? 'unclaimed' : side)
      return textOf(distinct(parts.map((part) => part.trim())).join('\n'))
    },
    /** Returns the texts of all nodes. */
    all: (): string[] =>
      distinct(
        graph.nodes.flatMap(({ inputs }) =>
          Object.keys(inputs).flatMap((name) =>
            isTextInput(name) || isProse(inputs[name]) ? (textOf(inputs[name], 5000) ?? []) : [],
          ),
        ),
      ),
  }
}
