import { NodeFault } from '#server/engine/node-fault.ts'

const INLINE_FLAGS = /^\(\?([aimsux]+)\)/

/**
 * A regular expression as Python writes it: `(?P<name>...)`, `(?P=name)`, and flags in front, `(?i)`.
 *
 * @throws {NodeFault} It cannot be read.
 */
export function pythonPattern(source: string): RegExp {
  const [prefix = '', letters = ''] = INLINE_FLAGS.exec(source) ?? []
  const flags = [...new Set(`g${letters.replaceAll(/[aux]/g, '')}`)].join('')
  const pattern = source
    .slice(prefix.length)
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?P=(\w+)\)/g, '\\k<$1>')
    .replaceAll('\\A', '^')
    .replaceAll('\\Z', '$')
  try {
    // By letters and not by halves of them, unless the pattern escapes what that does not allow.
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

/** What stands for itself in a regular expression. */
export const literalPattern = (text: string): RegExp =>
  new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi')

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  f: '\f',
  v: '\v',
  '\\': '\\',
}

/** Replaces each match. In the replacement `\1`, `\g<1>` and `\g<name>` are groups, as in Python; `$1` is not. */
export function replaceAsPython(text: string, pattern: RegExp, replacement: string): string {
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

/** The arguments of a replacer are the match and its groups, and then the offset, which is a number. */
const groupAt = (args: readonly unknown[], number: number): string => {
  const end = args.findIndex((arg) => typeof arg === 'number')
  if (number < end) return String(args[number] ?? '')
  throw new NodeFault(`invalid group reference ${number}`)
}
