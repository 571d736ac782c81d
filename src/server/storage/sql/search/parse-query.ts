import type { SearchText } from '#server/storage/sql/tables.ts'

/** Limits the cost of a query. Further words are ignored. */
const MAX_WORDS = 32

/** Words of at least this length also match longer words that begin with them. Shorter ones would match too many. */
const MIN_PREFIX_LETTERS = 3

/** Names of parameters. The index contains only their values. */
const LABELS = new Set(['cfg', 'lora', 'model', 'sampler', 'scheduler', 'seed', 'size', 'steps'])

const PARTS = /"([^"]*)("?)|([^\s"]+)/gu
/** Tokens of the index, as FTS5's tokenizer `unicode61` splits them. No token begins with a diacritic. */
const TOKENS = /[\p{L}\p{N}\p{Co}](?:[\p{L}\p{N}\p{Co}]|[\u0300-\u0331])*/gu
/** Splits a text into the tokens of the index. */
export const tokensOf = (text: string): readonly string[] => text.match(TOKENS) ?? []

const ENDS_IN_TOKEN = /(?:[\p{L}\p{N}\p{Co}]|[\u0300-\u0331])$/u
const DIACRITICS = /[\u0300-\u0331]/gu
const SYMBOLS = /\p{S}|\p{Extended_Pictographic}/u
const SIZE = /^(\d{2,5})x(\d{1,5})?$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends the text of a full-text query.
const CONTROLS = /[\u0000-\u001f]/g

/** A condition on the words of an entry of a search index. */
export type Expression =
  /** These tokens in a row. With `isPrefix`, the last one may be longer in the index. */
  | { tokens: readonly string[]; isPrefix: boolean }
  | { and: readonly Expression[] }
  | { or: readonly Expression[] }
  /** Only in one text of an image. */
  | { in: keyof SearchText; of: Expression }

/** One word or "phrase" of a query. */
export interface Word {
  /** Valid for every index. */
  plain: Expression
  /** For the index of images: the same, or an alternative for a parameter (`1344x768`, `cfg 6.5`). */
  image: Expression
}

/** A parsed query. Its variants are tried in turn until one finds an image. */
export interface ParsedQuery {
  /** The whole query. Empty: there is nothing to search for. */
  words: Word[]
  /**
   * The query without a last word that is probably unfinished, such as one of two letters or a label without its
   * value. null: the last word is complete, or already matches longer words that begin with it.
   */
  wordsBeforeLast: Word[] | null
  /** The texts of all words, for a search inside words. */
  texts: string[]
}

/** Parses a search. All words and "phrases" must match. An unclosed quote extends to the end. */
export const parseQuery = (query: string): ParsedQuery => {
  const text = query.replace(CONTROLS, ' ')
  const parts = partsOf(text)
  const last = parts.at(-1)
  const isTyping = last !== undefined && !last.isClosed && !/\s$/.test(text)
  const words = wordsOf(parts, isTyping)
  const before = last === undefined ? [] : wordsOf(withoutLastToken(parts), false)
  return {
    words,
    wordsBeforeLast: last && (isLabel(last) || (isTyping && isUnfinished(last))) ? before : null,
    texts: parts.map(({ text }) => text),
  }
}

interface Part {
  text: string
  tokens: readonly string[]
  isPhrase: boolean
  isClosed: boolean
}

const partsOf = (text: string): Part[] =>
  [...text.matchAll(PARTS)]
    .map(([, phrase = '', quote, word]): Part => {
      const text = (word ?? phrase).trim()
      const tokens = tokensOf(splitCjk(text))
      return { text, tokens, isPhrase: word === undefined, isClosed: quote === '"' }
    })
    .filter(({ text, tokens }) => tokens.length > 0 || SYMBOLS.test(text))
    .slice(0, MAX_WORDS)

const lettersOf = (token: string): number => [...token.replace(DIACRITICS, '')].length

/** Returns true if the last token may be the beginning of a longer one that the index would not find by prefix. */
const isUnfinished = ({ text, tokens, isPhrase }: Part): boolean => {
  const token = tokens.at(-1)
  if (token === undefined || isCjk(token)) return false
  if (lettersOf(token) < MIN_PREFIX_LETTERS) return ENDS_IN_TOKEN.test(text)
  return !isPhrase && SIZE.test(text)
}

const isCjk = (token: string): boolean => splitCjk(token) !== token

const withoutLastToken = (parts: readonly Part[]): Part[] => {
  const last = parts.at(-1)
  if (last === undefined) return []
  const [, width] = SIZE.exec(last.text) ?? []
  const tokens = width === undefined ? last.tokens.slice(0, -1) : [width]
  const rest = parts.slice(0, -1)
  if (tokens.length > 0)
    return [...rest, { ...last, text: tokens.join(' '), tokens, isPhrase: true }]
  // A label without its value is removed too.
  return LABELS.has(rest.at(-1)?.text.toLowerCase() ?? '') ? rest.slice(0, -1) : rest
}

const wordsOf = (parts: readonly Part[], isTyping: boolean): Word[] => {
  const words: Word[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] as Part
    const value = parts[at + 1]
    const isLast = at === parts.length - 1
    if (part.tokens.length === 0) continue
    if (isLabel(part) && value !== undefined && value.tokens.length > 0) {
      words.push(labelled(part, value, isTyping && at === parts.length - 2))
      at += 1
    } else words.push(wordOf(part, isTyping && isLast))
  }
  return words
}

const isLabel = ({ text, isPhrase }: Part) => !isPhrase && LABELS.has(text.toLowerCase())

/** Matches `cfg 6.5` as two words, or as the value in the parameters. */
const labelled = (label: Part, value: Part, isTyping: boolean): Word => {
  const plain = { and: [plainOf(label, false), plainOf(value, isTyping)] }
  const whole = value.text.replace(/^(\d+)\.0+$/, '$1')
  const parameter = whole === value.text ? wordOf(value, isTyping).image : phrase([whole])
  return { plain, image: { or: [plain, { in: 'parameters', of: parameter }] } }
}

const wordOf = (part: Part, isTyping: boolean): Word => {
  const plain = plainOf(part, isTyping)
  const alternative = part.isPhrase ? null : alternativeOf(part.text)
  return { plain, image: alternative === null ? plain : { or: [plain, alternative] } }
}

const plainOf = ({ text, tokens, isPhrase }: Part, isTyping: boolean): Expression => {
  const last = tokens.at(-1) ?? ''
  const canGrow = isTyping || (!isPhrase && ENDS_IN_TOKEN.test(text))
  const isPrefix = canGrow && !isCjk(last) && lettersOf(last) >= MIN_PREFIX_LETTERS
  return { tokens, isPrefix }
}

const phrase = (tokens: readonly string[]): Expression => ({ tokens, isPrefix: false })

/** Other spellings in the metadata: `1344x768` is stored as two numbers, and `dpm++` is `dpmpp` in InvokeAI. */
const alternativeOf = (text: string): Expression | null => {
  const [, width, height] = SIZE.exec(text) ?? []
  if (width !== undefined)
    return { in: 'parameters', of: phrase(height === undefined ? [width] : [width, height]) }
  const tokens = tokensOf(text.replace(/\+{1,2}/, 'pp'))
  return text.includes('+') && tokens.length > 0 ? { tokens, isPrefix: true } : null
}

const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u30fc]/gu

/** Separates the characters of scripts without word breaks by spaces, so that any part of a text is found. */
export const splitCjk = (text: string): string => text.replace(CJK, ' $& ')
