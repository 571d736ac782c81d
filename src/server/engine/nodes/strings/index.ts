import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { stringOutput } from '#server/engine/nodes/value-outputs.ts'

const text = Type.String({ default: '' })

/**
 * Splits a prompt at `[...]` like InvokeAI: an opening bracket becomes a space in the negative text, and a closing
 * one is dropped. A bracket after a backslash is literal, and the backslash remains.
 */
function splitNegative(text: string) {
  const parts = { positive_string: '', negative_string: '' }
  let depth = 0
  let isEscaped = false
  for (const char of text) {
    if (char === '[' && !isEscaped) {
      parts.negative_string += ' '
      depth += 1
    } else if (char === ']' && !isEscaped) {
      depth -= 1
    } else {
      parts[depth > 0 ? 'negative_string' : 'positive_string'] += char
    }
    isEscaped = char === '\\' && !isEscaped
  }
  return parts
}

const stringSplitNegativeNode = defineNode({
  type: 'string_split_neg',
  summary: 'Takes what stands in [brackets] out of a prompt, as its negative',
  inputs: { string: text },
  output: {
    type: 'string_pos_neg_output',
    fields: Type.Object({ positive_string: Type.String(), negative_string: Type.String() }),
  },
  run: ({ string }) => splitNegative(string),
})

const stringReplaceNode = defineNode({
  type: 'string_replace',
  summary: 'Replaces a text, in whatever case, or what a regular expression matches',
  inputs: {
    string: text,
    search_string: text,
    replace_string: text,
    use_regex: Type.Boolean({ default: false }),
  },
  output: stringOutput,
  run: ({ string, search_string, replace_string, use_regex }) => {
    if (search_string === '') return { value: string }
    const pattern = use_regex ? pythonPattern(search_string) : literalPattern(search_string)
    return { value: replaceAsPython(string, pattern, replace_string) }
  },
})

const stringJoinNode = defineNode({
  type: 'string_join',
  summary: 'Joins two texts',
  inputs: { string_left: text, string_right: text },
  output: stringOutput,
  run: ({ string_left, string_right }) => ({ value: string_left + string_right }),
})

const stringJoinThreeNode = defineNode({
  type: 'string_join_three',
  summary: 'Joins three texts',
  inputs: { string_left: text, string_middle: text, string_right: text },
  output: stringOutput,
  run: ({ string_left, string_middle, string_right }) => ({
    value: string_left + string_middle + string_right,
  }),
})

const stringSplitNode = defineNode({
  type: 'string_split',
  summary: 'Splits a text where the delimiter stands first',
  inputs: { string: text, delimiter: text },
  output: {
    type: 'string_2_output',
    fields: Type.Object({ string_1: Type.String(), string_2: Type.String() }),
  },
  run: ({ string, delimiter }) => {
    if (delimiter === '') throw new NodeFault('empty separator')
    const at = string.indexOf(delimiter)
    if (at === -1) return { string_1: string, string_2: '' }
    return { string_1: string.slice(0, at), string_2: string.slice(at + delimiter.length) }
  },
})

export const stringNodes = [
  stringJoinNode,
  stringJoinThreeNode,
  stringReplaceNode,
  stringSplitNode,
  stringSplitNegativeNode,
]

const INLINE_FLAGS = /^\(\?([aimsux]+)\)/

/**
 * Compiles a Python regular expression with `(?P<name>...)`, `(?P=name)` and leading flags such as `(?i)`.
 *
 * @throws {NodeFault} The expression is invalid.
 */
function pythonPattern(source: string): RegExp {
  const [prefix = '', letters = ''] = INLINE_FLAGS.exec(source) ?? []
  const flags = [...new Set(`g${letters.replaceAll(/[aux]/g, '')}`)].join('')
  const pattern = source
    .slice(prefix.length)
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?P=(\w+)\)/g, '\\k<$1>')
    .replaceAll('\\A', '^')
    .replaceAll('\\Z', '$')
  try {
    // Prefers the `u` flag, which matches code points. Some escapes are invalid with it; then compiles without.
    return compiled(pattern, `${flags}u`) ?? new RegExp(pattern, flags)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new NodeFault(`The search string is no regular expression: ${reason}`)
  }
}

const compiled = (pattern: string, flags: string): RegExp | null => {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return null
  }
}

/** Compiles a case-insensitive expression that matches the text literally. */
const literalPattern = (text: string): RegExp =>
  new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi')

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  f: '\f',
  v: '\v',
  '\\': '\\',
}

/** Replaces each match. `\1`, `\g<1>` and `\g<name>` in the replacement are groups, as in Python. `$1` is literal. */
function replaceAsPython(text: string, pattern: RegExp, replacement: string): string {
  return text.replace(pattern, (...args: unknown[]) => {
    const last = args.at(-1)
    const named = typeof last === 'object' ? (last as Record<string, string | undefined>) : {}
    const group = (name: string) =>
      /^\d+$/.test(name) ? groupAt(args, Number(name)) : (named[name] ?? '')
    return replacement.replaceAll(
      /\\(?:g<(\w+)>|(\d{1,2})|([nrtfv\\]))/g,
      (_all, byName?: string, byNumber?: string, letter?: string) =>
        byName !== undefined
          ? group(byName)
          : byNumber !== undefined
            ? group(byNumber)
            : (escapes[letter ?? ''] ?? ''),
    )
  })
}

/** Returns a group from a replacer's arguments: the match, its groups, and then the offset, the first number. */
const groupAt = (args: readonly unknown[], number: number): string => {
  const end = args.findIndex((arg) => typeof arg === 'number')
  if (number < end) return String(args[number] ?? '')
  throw new NodeFault(`invalid group reference ${number}`)
}
