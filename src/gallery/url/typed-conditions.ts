import { plainModelName } from '#contract/search/names.ts'
import { parseSearch } from '#contract/search/parse-search.ts'
import type { Place, SearchTerm } from '#contract/search/search.ts'
import {
  type ChoiceKey,
  type SearchKey,
  searchKey,
  searchKeyIn,
} from '#contract/search/search-keys.ts'

const CONDITION = /^([a-z]+)(:?(?:>=|<=|>|<|=)|:)/i

/** A condition of one property, such as `steps>20`, without a `-` before it. */
interface TypedCondition extends Place {
  readonly key: SearchKey
  /** `:`, `=`, `>`, `>=`, `<` or `<=`. */
  readonly comparison: string
  readonly valueStart: number
  /** Without quotes. */
  readonly value: string
}

/** Returns the condition at a place of a search. */
export function typedConditionAt(text: string, { start, end }: Place): TypedCondition | null {
  const [head = '', name = '', how = ''] = CONDITION.exec(text.slice(start, end)) ?? []
  const key = searchKeyIn(name)
  if (key === null) return null
  const comparison = how.length > 1 ? how.replace(':', '') : how
  const valueStart = start + head.length
  const value = text.slice(valueStart, end).replaceAll('"', '')
  return { key, comparison, valueStart, value, start, end }
}

/** A part of a search with its own chip: a condition, an alternative of conditions, or the exclusion of one. */
export interface SearchPart extends Place {
  readonly isExcluded: boolean
  /** null: several conditions. */
  readonly condition: TypedCondition | null
  /** The name of its property; empty if the value is enough, and for parts with several properties. */
  readonly label: string
  readonly value: string
}

/** Returns the name of a part: `Not Model: flux`. */
export const nameOfPart = ({ isExcluded, label, value }: SearchPart): string =>
  `${isExcluded ? 'Not ' : ''}${label === '' ? '' : `${label}: `}${value}`

/** Returns the parts of a search that have conditions. Words are no parts. */
export const partsOf = (text: string): SearchPart[] => {
  const terms = parseSearch(text).terms.filter(hasCondition)
  // The two terms of `size:1024x768` have the same place.
  const distinct = terms.filter(({ start }, at) => start !== terms[at - 1]?.start)
  return distinct.map((term) => {
    const isExcluded = term.type === 'not'
    const inner = isExcluded ? term.term : term
    const condition = conditionOf(text, inner)
    return { start: term.start, end: term.end, isExcluded, condition, ...wordsOf(text, inner) }
  })
}

const conditionOf = (text: string, term: SearchTerm): TypedCondition | null =>
  ['text', 'range', 'choice'].includes(term.type) ? typedConditionAt(text, term) : null

const hasCondition = (term: SearchTerm): boolean => {
  if (term.type === 'not') return hasCondition(term.term)
  if (term.type === 'all' || term.type === 'any') return term.terms.some(hasCondition)
  return term.type !== 'word'
}

const wordsOf = (text: string, term: SearchTerm): Pick<SearchPart, 'label' | 'value'> => {
  const members = (term.type === 'any' ? term.terms : [term]).map((member) =>
    conditionOf(text, member),
  )
  const keys = new Set(members.map((member) => member?.key))
  const [key] = keys
  if (keys.size !== 1 || key === undefined) return { label: '', value: sliceOf(text, term) }
  const values = members.flatMap((member) => (member === null ? [] : [valueText(member)]))
  // "Not starred" reads better than "Not Is: starred".
  return { label: key === 'is' ? '' : searchKey(key).label, value: values.join(' or ') }
}

const sliceOf = (text: string, { start, end }: Place): string => text.slice(start, end)

const SIGNS: Readonly<Record<string, string>> = { '>': '> ', '<': '< ', '>=': '≥ ', '<=': '≤ ' }

const valueText = ({ comparison, value }: TypedCondition): string => {
  const [from = '', to] = value.split('..')
  if (to === undefined) return `${SIGNS[comparison] ?? ''}${value}`
  if (from === '') return `up to ${to}`
  return to === '' ? `from ${from}` : `${from} to ${to}`
}

/** Returns a search without one of its parts. */
export function withoutPart(text: string, part: Place): string {
  const { start, end } = withParentheses(text, part)
  return joined(text.slice(0, start), text.slice(end))
}

/** Returns a search that excludes a part, or includes it again. */
export function withExclusion(text: string, part: SearchPart): string {
  if (part.isExcluded) return text.slice(0, part.start) + text.slice(part.start + 1)
  const { start, end } = withParentheses(text, part)
  const slice = text.slice(start, end)
  const isOneTerm = part.condition !== null || start < part.start
  return text.slice(0, start) + (isOneTerm ? `-${slice}` : `-(${slice})`) + text.slice(end)
}

/** Widens a place by parentheses with nothing else in them. */
export function withParentheses(text: string, { start, end }: Place): Place {
  const before = text.slice(0, start).trimEnd()
  const after = text.slice(end).trimStart()
  if (!before.endsWith('(') || !after.startsWith(')')) return { start, end }
  return withParentheses(text, { start: before.length - 1, end: text.length - after.length + 1 })
}

const joined = (...texts: readonly string[]): string =>
  texts
    .map((text) => text.trim())
    .filter(Boolean)
    .join(' ')

/** Returns true if a search finds images that are alike, or have a color, more or less. */
export const isRanked = (text: string): boolean =>
  partsOf(text).some(
    ({ isExcluded, condition }) =>
      !isExcluded && (condition?.key === 'like' || condition?.key === 'color'),
  )

/** Returns a search with one more condition. */
export function withCondition(text: string, condition: string): string {
  const isPresent = partsOf(text).some((part) => sliceOf(text, part) === condition)
  return isPresent ? text.trim() : joined(text, condition)
}

/** Returns the condition of all other images. Several conditions are negated together. */
export function negated(condition: string): string {
  if (partsOf(condition).length > 1) return `-(${condition})`
  return condition.startsWith('-') ? condition.slice(1) : `-${condition}`
}

/** Quotes a value of a condition if it needs quotes. */
export const quotedIfNeeded = (value: string): string => {
  const plain = value.replaceAll('"', ' ').trim()
  return /^[^\s"()]+$/.test(plain) ? plain : `"${plain}"`
}

/** Returns the condition that a property has exactly this value. */
export const exactly = (key: SearchKey, value: string | number): string =>
  searchKey(key).kind === 'number' || key === 'seed'
    ? `${key}:${value}`
    : `${key}="${String(value).replaceAll('"', ' ').trim()}"`

/** Returns the condition that finds images with the same value. undefined: searches do not compare this value. */
export function conditionFor(
  key: SearchKey,
  value: string | number | null | undefined,
): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (key === 'seed' && !/^\d{1,20}$/.test(String(value))) return undefined
  const isModel = key === 'model' || key === 'lora'
  return exactly(key, isModel ? plainModelName(String(value)) : value)
}

/** Returns the condition of a search with this key, if it is neither excluded nor an alternative. */
export const conditionWithKey = (text: string, key: SearchKey): TypedCondition | null =>
  partsOf(text).find(({ isExcluded, condition }) => !isExcluded && condition?.key === key)
    ?.condition ?? null

/** Returns a search with this condition in place of the one with the same key. An empty one removes it. */
export function withKey(text: string, key: SearchKey, condition: string): string {
  const current = conditionWithKey(text, key)
  if (current === null) return condition === '' ? text : joined(text, condition)
  if (condition === '') return withoutPart(text, current)
  return text.slice(0, current.start) + condition + text.slice(current.end)
}

const partWithChoice = (text: string, key: ChoiceKey, choice: string): SearchPart | undefined =>
  partsOf(text).find(
    ({ isExcluded, condition }) =>
      !isExcluded && condition?.key === key && condition.value.toLowerCase() === choice,
  )

/** Returns true if a search has this choice of a key, such as `has:workflow`, neither excluded nor as an alternative. */
export const hasChoice = (text: string, key: ChoiceKey, choice: string): boolean =>
  partWithChoice(text, key, choice) !== undefined

/** Returns a search with or without this choice of a key. */
export function withChoice(text: string, key: ChoiceKey, choice: string, isOn: boolean): string {
  const part = partWithChoice(text, key, choice)
  if (isOn) return part ? text : withCondition(text, `${key}:${choice}`)
  return part ? withoutPart(text, part) : text
}
