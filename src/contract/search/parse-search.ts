import { colorIn, likeValueIn } from '#contract/likeness/like-terms.ts'
import type { Place, RangeTerm, Search, SearchFault, SearchTerm } from './search.ts'
import { type DateReader, dateIn, type SearchClock, type Span, utcClock } from './search-dates.ts'
import {
  type ChoiceKey,
  choiceIn,
  type NumberKey,
  type SearchKey,
  searchKey,
  searchKeyIn,
  searchKeys,
  type TextKey,
} from './search-keys.ts'

/** Limits the cost of a search. */
const MAX_TERMS = 100
const MAX_DEPTH = 20

const SPACE = /\s/
const COMPARISON = /:?(?:>=|<=|>|<|=)|:/y
const KEY = /[a-z]+/iy

type Comparison = ':' | '=' | '>' | '>=' | '<' | '<='

/**
 * Parses a search: words, "phrases", conditions such as `steps>20`, `-` before any of them, `OR` between two, and
 * parentheses. Every text has a meaning: a condition that cannot be understood is a fault with its place and left out.
 */
export const parseSearch = (text: string, clock: SearchClock = utcClock()): Search =>
  new Parser(text, (value) => dateIn(value, clock)).parse()

class Parser {
  readonly #text: string
  readonly #dateIn: DateReader
  readonly #faults: SearchFault[] = []
  #at = 0
  #depth = 0
  #terms = 0

  constructor(text: string, dateIn: DateReader) {
    this.#text = text
    this.#dateIn = dateIn
  }

  parse(): Search {
    const terms = flattened(this.#group())
    return { terms, faults: this.#faults }
  }

  /** Reads terms up to the end of the text or of the group. */
  #group(): SearchTerm[] {
    const terms: SearchTerm[] = []
    let isAlternative = false
    for (;;) {
      this.#skipSpaces()
      const character = this.#text[this.#at]
      if (character === undefined) break
      if (character === ')') {
        this.#at += 1
        if (this.#depth > 0) break
        continue
      }
      if (terms.length > 0 && !isAlternative && this.#skipOr()) {
        isAlternative = true
        continue
      }
      const term = this.#term()
      const last = terms.at(-1)
      if (term !== null && isAlternative && last !== undefined)
        terms[terms.length - 1] = eitherOf(last, term)
      else if (term !== null) terms.push(term)
      isAlternative = false
    }
    return terms
  }

  /** Skips `OR` if an alternative follows it. */
  #skipOr(): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 3)
    if (!/^OR\s$/.test(rest)) return false
    const next = this.#text.slice(this.#at + 2).trimStart()[0]
    if (next === undefined || next === ')') return false
    this.#at += 2
    return true
  }

  #term(): SearchTerm | null {
    const start = this.#at
    const character = this.#text[start]
    if (character === '(') return this.#parentheses()
    this.#terms += 1
    if (this.#terms > MAX_TERMS) {
      this.#at = this.#text.length
      this.#fault({ start, end: this.#at }, `A search has at most ${MAX_TERMS} conditions.`)
      return null
    }
    if (character === '-' && /^-[^\s)-]/.test(this.#text.slice(start, start + 2))) {
      this.#at += 1
      const term = this.#term()
      return term === null ? null : { type: 'not', term, start, end: this.#at }
    }
    if (character === '"') {
      const text = this.#phrase()
      return { type: 'word', text, isPhrase: true, start, end: this.#at }
    }
    const condition = this.#condition()
    return condition === undefined ? this.#word() : condition
  }

  #parentheses(): SearchTerm | null {
    const start = this.#at
    this.#at += 1
    // A prompt that was pasted can contain any number of parentheses.
    if (this.#depth >= MAX_DEPTH) return null
    this.#depth += 1
    const terms = this.#group()
    this.#depth -= 1
    const [only] = terms
    if (only === undefined) return null
    if (terms.length === 1) return only
    return { type: 'all', terms, start, end: this.#at }
  }

  #word(): SearchTerm {
    const start = this.#at
    const text = this.#run()
    // Printed without quotes, `OR` could become an operator.
    return { type: 'word', text, isPhrase: text === 'OR', start, end: this.#at }
  }

  /** Returns undefined if the text at this place does not begin with a key and a comparison. */
  #condition(): SearchTerm | null | undefined {
    const start = this.#at
    const name = matchAt(KEY, this.#text, start)
    const comparison = matchAt(COMPARISON, this.#text, start + name.length)
    const key = searchKeyIn(name)
    if (key === null || comparison === '') return undefined
    this.#at += name.length + comparison.length
    const valueStart = this.#at
    const isQuoted = this.#text[valueStart] === '"'
    const value = isQuoted ? this.#phrase() : this.#run()
    const place = { start, end: this.#at }
    const refuse = (message: string): null => {
      this.#faults.push({ start: valueStart, end: this.#at, key, message })
      return null
    }
    if (value.trim() === '') return refuse(`A value is expected, as in ${searchKey(key).example}.`)
    const how = (comparison.length > 1 ? comparison.replace(':', '') : comparison) as Comparison
    const term = this.#valueOf(key, how, value)
    return 'fault' in term ? refuse(term.fault) : placed(term, place)
  }

  #valueOf(key: SearchKey, how: Comparison, value: string): Value | { fault: string } {
    const isEquality = how === ':' || how === '='
    switch (searchKeys[key].kind) {
      case 'text':
        if (!isEquality) return { fault: `${key} is compared with : or =, not with ${how}.` }
        if (key === 'seed' && !/^\d{1,20}$/.test(value))
          return { fault: 'A whole number is expected.' }
        if (key === 'like' && likeValueIn(value) === null)
          return { fault: 'The name of an image is expected, as in like:NAME or like:prompt:NAME.' }
        if (key === 'color' && colorIn(value) === null)
          return { fault: 'A color is expected, such as #ff8800 or orange.' }
        return { type: 'text', key: key as TextKey, text: value, isExact: how === '=' }
      case 'choice': {
        const choice = isEquality ? choiceIn(key as ChoiceKey, value) : null
        const { choices = [] } = searchKey(key)
        if (choice === null) return { fault: `One of these is expected: ${choices.join(', ')}.` }
        return { type: 'choice', key: key as ChoiceKey, choice }
      }
      case 'number':
        return numberTerm(key as NumberKey, how, value)
      case 'date':
        return this.#dateTerm(key as 'date', how, value)
    }
  }

  #dateTerm(
    key: 'date' | 'after' | 'before' | 'on' | 'added',
    how: Comparison,
    value: string,
  ): Value | { fault: string } {
    const [from, to] = splitRange(value)
    const start = this.#dateIn(from)
    const end = to === null ? start : this.#dateIn(to)
    const isSingle = to === null && from !== ''
    const isRange = to !== null && (start !== null || from === '') && (end !== null || to === '')
    if (!(isSingle ? start !== null : isRange && from + to !== ''))
      return { fault: 'A date is expected, such as 2026-05-31, 2026-05, yesterday or 7d.' }
    const comparison = key === 'after' ? '>=' : key === 'before' ? '<' : how
    const isEquality = comparison === ':' || comparison === '='
    const limits =
      isSingle && start !== null && !isEquality
        ? sideOf(comparison, start)
        : { min: start?.start ?? null, max: finite(end?.end) }
    return {
      type: 'range',
      key: key === 'added' ? 'added' : 'date',
      ...limits,
      isMinExcluded: false,
      isMaxExcluded: true,
    }
  }

  /** Reads a "phrase". Without a closing quote it extends to the end. */
  #phrase(): string {
    const from = this.#at + 1
    const end = this.#text.indexOf('"', from)
    this.#at = end < 0 ? this.#text.length : end + 1
    return this.#text.slice(from, end < 0 ? undefined : end)
  }

  /** Reads up to the next space, quote, or parenthesis that closes more than the text opened. */
  #run(): string {
    const start = this.#at
    let open = 0
    let end = start
    for (; end < this.#text.length; end += 1) {
      const character = this.#text[end] ?? ''
      if (SPACE.test(character) || character === '"') break
      if (character === '(') open += 1
      if (character === ')') {
        if (open === 0) break
        open -= 1
      }
    }
    this.#at = end
    return this.#text.slice(start, end)
  }

  #skipSpaces(): void {
    while (SPACE.test(this.#text[this.#at] ?? '')) this.#at += 1
  }

  #fault(place: Place, message: string): void {
    this.#faults.push({ ...place, key: null, message })
  }
}

/** Terms inside parentheses without alternatives are terms of the search. */
const flattened = (terms: readonly SearchTerm[]): SearchTerm[] =>
  terms.flatMap((term) => (term.type === 'all' ? flattened(term.terms) : [term]))

const eitherOf = (one: SearchTerm, other: SearchTerm): SearchTerm => ({
  type: 'any',
  terms: [one, other].flatMap((term) => (term.type === 'any' ? term.terms : [term])),
  start: one.start,
  end: other.end,
})

const matchAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

type WithoutPlace<Term> = Term extends unknown ? Omit<Term, keyof Place> : never
type Value = WithoutPlace<SearchTerm>

/** Adds the place of a condition, also to the terms that it stands for. */
const placed = (term: Value, place: Place): SearchTerm =>
  term.type === 'all' || term.type === 'any'
    ? { ...term, ...place, terms: term.terms.map((part) => ({ ...part, ...place })) }
    : { ...term, ...place }

/** Splits `a..b`, where either may be empty. The second is null for a single value. */
const splitRange = (value: string): [from: string, to: string | null] => {
  const at = value.indexOf('..')
  return at < 0 ? [value, null] : [value.slice(0, at), value.slice(at + 2)]
}

const numberTerm = (key: NumberKey, how: Comparison, value: string): Value | { fault: string } => {
  const read = readers[searchKey(key).unit ?? 'none']
  const sides =
    key === 'size' && (how === ':' || how === '=') ? /^(\d{1,6})x(\d{1,6})$/i.exec(value) : null
  if (sides !== null) {
    const [width, height] = [Number(sides[1]), Number(sides[2])]
    const place = { start: 0, end: 0 }
    return {
      type: 'all',
      terms: [
        { ...rangeOf('width', '=', width), ...place },
        { ...rangeOf('height', '=', height), ...place },
      ],
    }
  }
  const [from, to] = splitRange(value)
  const [min, max] = [read(from), to === null ? null : read(to)]
  if (to === null) return min === null ? { fault: faultOf(key) } : rangeOf(key, how, min)
  const isReadable = (min !== null || from === '') && (max !== null || to === '')
  if (how !== ':' && how !== '=')
    return { fault: 'A range needs no comparison, as in steps:20..30.' }
  if (!isReadable || from + to === '') return { fault: faultOf(key) }
  if (min !== null && max !== null && min > max)
    return { fault: 'The first number is larger than the second one.' }
  return { type: 'range', key, min, max, isMinExcluded: false, isMaxExcluded: false }
}

const finite = (time: number | undefined): number | null =>
  time === undefined || time === Number.POSITIVE_INFINITY ? null : time

/** Returns the times before or after a span. One without an end, such as `7d`, counts as its start. */
const sideOf = (comparison: Comparison, { start, end }: Span) => {
  const after = finite(end) ?? start
  if (comparison.startsWith('>')) return { min: comparison === '>' ? after : start, max: null }
  return { min: null, max: comparison === '<' ? start : after }
}

const rangeOf = (key: NumberKey, how: Comparison, value: number): RangeTerm => ({
  type: 'range',
  key,
  min: how.startsWith('<') ? null : value,
  max: how.startsWith('>') ? null : value,
  isMinExcluded: how === '>',
  isMaxExcluded: how === '<',
})

const faultOf = (key: NumberKey): string =>
  `A number is expected, as in ${searchKeys[key].example}.`

const DECIMAL = /^(?:\d{1,15}(?:\.\d{0,6})?|\.\d{1,6})$/

/** Reads a decimal number and its unit. */
const withUnit = (text: string, units: Readonly<Record<string, number>>): number | null => {
  const unit = /[a-z]*$/i.exec(text.slice(-3))?.[0] ?? ''
  const digits = text.slice(0, text.length - unit.length)
  const factor = units[unit.toLowerCase()]
  return factor === undefined || !DECIMAL.test(digits) ? null : rounded(Number(digits) * factor)
}

/** Removes the errors of binary fractions. null: the number is too large. */
const rounded = (number: number): number | null => {
  if (number > Number.MAX_SAFE_INTEGER) return null
  return number > 1e9 ? Math.round(number) : Math.round(number * 1e6) / 1e6
}

const byteUnits = {
  '': 1,
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  tb: 1000 ** 4,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
}
const secondUnits = { '': 1, s: 1, sec: 1, m: 60, min: 60, h: 3600 }

/** Reads a length of time such as `5`, `90s`, `2m` or `1:30`, in seconds. */
const secondsIn = (text: string): number | null => {
  const parts = text.split(':')
  if (parts.length === 1) return withUnit(text, secondUnits)
  if (parts.length > 3 || parts.some((part) => !DECIMAL.test(part))) return null
  return rounded(parts.reduce((sum, part) => sum * 60 + Number(part), 0))
}

const readers = {
  none: (text: string) => withUnit(text, { '': 1 }),
  pixels: (text: string) => withUnit(text, { '': 1, px: 1 }),
  bytes: (text: string) => withUnit(text, byteUnits),
  seconds: secondsIn,
}
