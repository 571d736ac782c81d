import {
  integerOf,
  modelNameOf,
  type NormalFields,
  nameOf,
  numberOf,
  seedOf,
  textOf,
} from './normal-fields.ts'

/** Real settings lines are a few hundred characters long. */
const MAX_SETTINGS_LENGTH = 20_000
const MAX_KEY_LENGTH = 61
const MAX_LORAS = 100
const lora = /<lora:([^:<>]{1,200}):(-?[\d.]{1,10})[^<>]{0,50}>/g
const negativeMark = /^Negative prompt:[^\S\n]?/m
const keyCharacter = /[\w \-/]/
const STEPS = 'Steps: '

// The text is untrusted: each function below reads each character a bounded number of times.

/** Returns true if only white space precedes this position in its line. */
const startsLine = (text: string, position: number): boolean => {
  let before = position - 1
  while (before >= 0 && text[before] !== '\n' && /\s/.test(text.charAt(before))) before -= 1
  return before < 0 || text[before] === '\n'
}

/** Returns the position of the settings: a line that starts with `Steps: ` and a number. -1: there are no settings. */
const settingsPosition = (text: string, steps: RegExp): number => {
  for (let at = text.indexOf(STEPS); at >= 0; at = text.indexOf(STEPS, at + STEPS.length)) {
    steps.lastIndex = at
    if (steps.test(text) && startsLine(text, at)) return at
  }
  return -1
}

/** Returns true if a text has the form of A1111's `parameters`. */
export const isA1111 = (text: string): boolean => settingsPosition(text, /Steps: \d+, /y) >= 0

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
  const isClosed = at < line.length && (at + 1 === line.length || line[at + 1] === ',')
  return isClosed ? at + 1 : -1
}

const settingsOf = (text: string): Map<string, string> => {
  const line = text.slice(0, MAX_SETTINGS_LENGTH).replaceAll('\n', ' ')
  const settings = new Map<string, string>()
  let at = 0
  for (let colon = line.indexOf(':'); colon >= 0; colon = line.indexOf(':', at)) {
    const key = keyBefore(line, at, colon).trim().toLowerCase()
    at = colon + 1
    if (key === '') continue
    while (line[at] === ' ') at += 1
    const quoted = line[at] === '"' ? quoteEnd(line, at) : -1
    const comma = line.indexOf(',', at)
    const end = quoted >= 0 ? quoted : comma >= 0 ? comma : line.length
    settings.set(key, line.slice(at, end).replace(/^"|"$/g, '').trim())
    at = end
  }
  return settings
}

const lorasOf = (prompt: string): { name: string; weight: number | null }[] => {
  const loras: { name: string; weight: number | null }[] = []
  for (const [, name = '', weight] of prompt.matchAll(lora)) {
    if (loras.push({ name, weight: numberOf(weight) }) === MAX_LORAS) break
  }
  return loras
}

/** Reads the `parameters` text of A1111 and its forks: the prompt, `Negative prompt:`, and a line of settings. */
export const readA1111 = (parameters: string): NormalFields => {
  const text = parameters.replaceAll('\r\n', '\n')
  const settingsAt = settingsPosition(text, /Steps: \d+/y)
  const settings = settingsOf(settingsAt < 0 ? '' : text.slice(settingsAt))
  const prompts = settingsAt < 0 ? text : text.slice(0, settingsAt)
  const [prompt = '', ...negative] = prompts.split(negativeMark)
  const [, width, height] = /^(\d{1,6})x(\d{1,6})$/.exec(settings.get('size') ?? '') ?? []
  return {
    prompt: textOf(prompt),
    negative_prompt: textOf(negative.join('\n')),
    model: modelNameOf(settings.get('model')),
    seed: seedOf(settings.get('seed')),
    steps: integerOf(settings.get('steps')),
    cfg_scale: numberOf(settings.get('cfg scale')),
    sampler: nameOf(settings.get('sampler')),
    scheduler: nameOf(settings.get('schedule type')),
    loras: lorasOf(prompt),
    width: integerOf(width),
    height: integerOf(height),
  }
}
