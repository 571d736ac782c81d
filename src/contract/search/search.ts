import type { ChoiceKey, NumberKey, SearchKey, TextKey } from './search-keys.ts'

/** A part of a text, in UTF-16 units. `end` is exclusive. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** A word or a "phrase" without a key. */
export interface WordTerm {
  readonly type: 'word'
  readonly text: string
  readonly isPhrase: boolean
}

export interface TextTerm {
  readonly type: 'text'
  readonly key: TextKey
  readonly text: string
  /** The value is the whole text, not a part of it. */
  readonly isExact: boolean
}

/** An interval of numbers. Dates are in milliseconds since 1970. null: without a limit. */
export interface RangeTerm {
  readonly type: 'range'
  /** `date`: the date that the page shows. `added`: the arrival in the library. */
  readonly key: NumberKey | 'date' | 'added'
  readonly min: number | null
  readonly max: number | null
  readonly isMinExcluded: boolean
  readonly isMaxExcluded: boolean
}

export interface ChoiceTerm {
  readonly type: 'choice'
  readonly key: ChoiceKey
  readonly choice: string
}

/** A condition on one property of an item. */
export type ConditionTerm = TextTerm | RangeTerm | ChoiceTerm

/** A part of a parsed search. The items of `all` match each of the terms, those of `any` at least one. */
export type SearchTerm = Place &
  (
    | WordTerm
    | ConditionTerm
    | { readonly type: 'not'; readonly term: SearchTerm }
    | { readonly type: 'all' | 'any'; readonly terms: readonly SearchTerm[] }
  )

/** A condition that cannot be understood. The rest of the search is used without it. */
export interface SearchFault extends Place {
  /** The key of the condition, if it has one. */
  readonly key: SearchKey | null
  readonly message: string
}

export interface Search {
  /** Every term must match. */
  readonly terms: readonly SearchTerm[]
  readonly faults: readonly SearchFault[]
}

/** Returns true if a search consists of words alone. */
export const isWordsOnly = ({ terms }: Search): boolean =>
  terms.every(({ type }) => type === 'word')

const quoted = (text: string): string => `"${text.replaceAll('"', ' ')}"`

const isoOf = (at: number): string => new Date(at).toISOString()

const rangeText = ({ key, min, max, isMinExcluded, isMaxExcluded }: RangeTerm): string => {
  const isDate = key === 'date' || key === 'added'
  if (isDate) return `${key}:${min === null ? '' : isoOf(min)}..${max === null ? '' : isoOf(max)}`
  if (min === max) return `${key}:${min}`
  if (min === null) return `${key}<${isMaxExcluded ? '' : '='}${max}`
  if (max === null) return `${key}>${isMinExcluded ? '' : '='}${min}`
  return `${key}:${min}..${max}`
}

/** Writes a term in the form that the parser reads as the same term. */
export const printTerm = (term: SearchTerm): string => {
  switch (term.type) {
    case 'word':
      return term.isPhrase ? quoted(term.text) : term.text
    case 'text':
      return `${term.key}${term.isExact ? '=' : ':'}${quoted(term.text)}`
    case 'range':
      return rangeText(term)
    case 'choice':
      return `${term.key}:${term.choice}`
    case 'not': {
      const inner = printTerm(term.term)
      return inner.startsWith('-') ? `-(${inner})` : `-${inner}`
    }
    case 'all':
      return `(${printSearch(term.terms)})`
    case 'any':
      return `(${term.terms.map(printTerm).join(' OR ')})`
  }
}

export const printSearch = (terms: readonly SearchTerm[]): string => terms.map(printTerm).join(' ')
