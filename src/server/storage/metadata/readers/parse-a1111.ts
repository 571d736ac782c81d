/** Text of A1111 and its forks: the prompt, `Negative prompt:`, and a line of settings. */
export interface A1111Text {
  prompt: string
  negative: string
  /** Settings with their label as written, by the label in lower case. */
  settings: ReadonlyMap<string, { label: string; value: string }>
}

/** Real settings lines are a few thousand characters long, with the resources of Civitai. */
const MAX_SETTINGS_LENGTH = 50_000
const MAX_KEY_LENGTH = 61
const negativeMark = /^[^\S\n]{0,20}Negative prompt:[^\S\n]?/im
const inlineNegativeMark = /(?<=\s)Negative prompt:[^\S\n]?/i
const keyCharacter = /[\w \-/]/
const STEPS = 'Steps:'

/** Settings that nearly all programs write. A line with three of them holds settings, also without steps. */
const COMMON_KEYS = [
  ...['sampler', 'cfg scale', 'seed', 'size', 'model', 'model hash', 'schedule type', 'clip skip'],
  ...['denoising strength', 'version'],
]

// The text is untrusted: each function below reads each character a bounded number of times.

/** Returns true if only white space precedes this position in its line. */
const startsLine = (text: string, position: number): boolean => {
  let before = position - 1
  while (before >= 0 && text[before] !== '\n' && /\s/.test(text.charAt(before))) before -= 1
  return before < 0 || text[before] === '\n'
}

/** Returns the last `Steps: 20,` that the test accepts, or -1. A prompt may contain the same words earlier. */
const lastSteps = (text: string, pattern: RegExp, accepts: (at: number) => boolean): number => {
  let found = -1
  for (let at = text.indexOf(STEPS); at >= 0; at = text.indexOf(STEPS, at + STEPS.length)) {
    pattern.lastIndex = at
    if (pattern.test(text) && accepts(at)) found = at
  }
  return found
}

/** Returns the position of the last line if it has settings but no steps, or -1. */
const lastLineOfSettings = (text: string): number => {
  const at = text.trimEnd().lastIndexOf('\n') + 1
  const settings = settingsOf(text.slice(at))
  return COMMON_KEYS.filter((key) => settings.has(key)).length >= 3 ? at : -1
}

const settingsPosition = (text: string): number => {
  const atLine = (at: number) => startsLine(text, at)
  const withComma = lastSteps(text, /Steps: ?\d+,/y, atLine)
  if (withComma >= 0) return withComma
  // Some programs write a single line.
  const inline = lastSteps(text, /Steps: ?\d+, ?(?:Sampler|Size|Seed|CFG|Schedule)\b/y, () => true)
  return inline >= 0 ? inline : lastLineOfSettings(text)
}

/** Returns the key that ends at a colon: `Size` in `, Size: 640x960`. */
const keyBefore = (line: string, from: number, colon: number): string => {
  let start = colon
  const end = Math.max(from, colon - MAX_KEY_LENGTH)
  while (start > end && keyCharacter.test(line.charAt(start - 1))) start -= 1
  return line.slice(start, colon).replace(/^[ \-/]+/, '')
}

/** Returns the position after a quoted value, or -1 if the quote is not closed before a comma or the end. */
const quoteEnd = (line: string, quote: number): number => {
  let at = quote + 1
  while (at < line.length && line[at] !== '"') at += line[at] === '\\' ? 2 : 1
  const isClosed = at < line.length && (at + 1 === line.length || /[,\s]/.test(line.charAt(at + 1)))
  return isClosed ? at + 1 : -1
}

/** Returns the position after the bracket that closes the one at `open`, or -1. */
const bracketEnd = (line: string, open: number): number => {
  let depth = 0
  let isText = false
  for (let at = open; at < line.length; at += 1) {
    const character = line[at]
    if (character === '\\') at += 1
    else if (character === '"') isText = !isText
    else if (isText) continue
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth === 0) return at + 1
  }
  return -1
}

const unquoted = (value: string): string => {
  if (!value.startsWith('"')) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value.replace(/^"|"$/g, '').trim()
  }
}

/** Reads `Key: value, Key: "quoted, value", Key: {"json": true}`. */
export const settingsOf = (text: string): A1111Text['settings'] => {
  const line = text.slice(0, MAX_SETTINGS_LENGTH).replaceAll('\n', ' ')
  const settings = new Map<string, { label: string; value: string }>()
  let at = 0
  let hasBrackets = true
  for (let colon = line.indexOf(':'); colon >= 0; colon = line.indexOf(':', at)) {
    const label = keyBefore(line, at, colon).trim()
    at = colon + 1
    if (label === '') continue
    while (line[at] === ' ') at += 1
    let end = -1
    if (line[at] === '"') end = quoteEnd(line, at)
    else if (hasBrackets && (line[at] === '{' || line[at] === '[')) {
      end = bracketEnd(line, at)
      // Without a closing bracket there is none for later ones either.
      hasBrackets = end >= 0
    }
    if (end < 0) end = line.indexOf(',', at)
    if (end < 0) end = line.length
    settings.set(label.toLowerCase(), { label, value: unquoted(line.slice(at, end).trim()) })
    at = end
  }
  return settings
}

/** Splits a text at its settings. Without settings, all of it is prompts. */
export const splitA1111 = (written: string): A1111Text & { hasSettings: boolean } => {
  const text = written.replaceAll('\r\n', '\n')
  const at = settingsPosition(text)
  const prompts = at < 0 ? text : text.slice(0, at)
  const isOneLine = at >= 0 && !startsLine(text, at)
  const [prompt = '', ...negative] = prompts.split(isOneLine ? inlineNegativeMark : negativeMark)
  return {
    hasSettings: at >= 0,
    prompt,
    negative: negative.join('\n'),
    settings: settingsOf(at < 0 ? '' : text.slice(at)),
  }
}

/** Returns null if the text does not have the form of A1111's `parameters`. */
export const parseA1111 = (text: string): A1111Text | null => {
  if (text.trimStart().startsWith('{')) return null
  const split = splitA1111(text)
  return split.hasSettings ? split : null
}
