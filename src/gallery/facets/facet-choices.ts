import { nameKey } from '#contract/search/names.ts'
import { parseSearch } from '#contract/search/parse-search.ts'
import { type Place, printSearch, type SearchTerm } from '#contract/search/search.ts'
import { tagKey } from '#contract/search/tag-names.ts'
import { quotedIfNeeded, withParentheses } from '#gallery/url/typed-conditions.ts'
import { type SectionKey, sectionKeys } from './facet-sections.ts'

/** A value that a search includes or excludes, as one click in the panel does. */
export interface FacetChoice {
  readonly key: SectionKey
  readonly value: string
  readonly isExcluded: boolean
}

type ChosenValue = Omit<FacetChoice, 'isExcluded'>

/** A part of a search that consists only of values of one property: `model=a`, `(model=a OR model=b)` or `-model=a`. */
interface ChoicePart extends Place {
  readonly key: SectionKey
  readonly values: readonly string[]
  readonly isExcluded: boolean
}

/** Two spellings of a name are one value. */
export const isSameValue = (one: ChosenValue, other: ChosenValue): boolean =>
  one.key === other.key && keyOf(one) === keyOf(other)

const keyOf = ({ key, value }: ChosenValue): string =>
  key === 'tag' ? tagKey(value) : nameKey(value)

/** Returns the values that a search includes or excludes, in their order. */
export const choicesIn = (query: string): FacetChoice[] =>
  partsIn(query).flatMap(({ key, values, isExcluded }) =>
    values.map((value) => ({ key, value, isExcluded })),
  )

/** Returns a search that includes or excludes a value, or no longer does so if it does now. */
export const withToggled = (query: string, choice: FacetChoice): string => {
  const current = choicesIn(query).find((each) => isSameValue(each, choice))
  const rest = current === undefined ? query : withoutChoice(query, current)
  return current?.isExcluded === choice.isExcluded ? rest : withChoice(rest, choice)
}

/** Returns a search without a value. */
export const withoutChoice = (query: string, choice: ChosenValue): string => {
  const part = partsIn(query).find(({ key, values }) =>
    values.some((value) => isSameValue({ key, value }, choice)),
  )
  if (part === undefined) return query
  const { key, values } = part
  const others = values.filter((value) => !isSameValue({ key, value }, choice))
  return withoutChoice(replaced(query, part, others), choice)
}

/** Returns a search without all values that it includes or excludes. */
export const withoutChoices = (query: string): string => {
  const [part] = partsIn(query)
  return part === undefined ? query : withoutChoices(replaced(query, part, []))
}

/** The included values of a property are alternatives. Excluded ones are conditions of their own. */
const withChoice = (query: string, { key, value, isExcluded }: FacetChoice): string => {
  const part = isExcluded ? undefined : includedPart(query, key)
  if (part !== undefined) return replaced(query, part, [...part.values, value])
  const condition = `${isExcluded ? '-' : ''}${conditionOf(key, value)}`
  const { terms } = parseSearch(query)
  const isClean = (text: string) => parseSearch(text).terms.length === terms.length + addedTerms
  const addedTerms = parseSearch(condition).terms.length
  const typed = query.trim()
  // An open quote or a last `OR` would take the condition for its own part.
  const candidates = [
    `${typed} ${condition}`,
    `${condition} ${typed}`,
    ...[`${typed}"`, `(${typed})`, `(${typed}")`].map((before) => `${before} ${condition}`),
  ]
  const added = candidates.find(
    (text) => isClean(text) && hasChoice(text, { key, value, isExcluded }),
  )
  return (added ?? `${printSearch(terms)} ${condition}`).trim()
}

const includedPart = (query: string, wanted: SectionKey): ChoicePart | undefined =>
  partsIn(query).find(({ key, isExcluded }) => key === wanted && !isExcluded)

const hasChoice = (query: string, choice: FacetChoice): boolean =>
  choicesIn(query).some(
    (each) => isSameValue(each, choice) && each.isExcluded === choice.isExcluded,
  )

/** Replaces a part by the conditions of other values of its property. */
const replaced = (query: string, part: ChoicePart, values: readonly string[]): string => {
  const { start, end } = withParentheses(query, part)
  const conditions = values.map((value) => conditionOf(part.key, value))
  const either = conditions.length > 1 ? `(${conditions.join(' OR ')})` : conditions.join('')
  const text = part.isExcluded && either !== '' ? `-${either}` : either
  return [query.slice(0, start), text, query.slice(end)]
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .join(' ')
}

/** Returns the condition that exactly one value of a property meets. */
export const conditionOf = (key: SectionKey, value: string): string => {
  switch (key) {
    case 'shape':
    case 'size':
    case 'type':
    case 'rating':
      return `${key}:${value}`
    case 'month':
      return `date:${value}`
    default:
      return `${key}=${quotedIfNeeded(value)}`
  }
}

const partsIn = (query: string): ChoicePart[] =>
  distinctTerms(parseSearch(query).terms).flatMap((term) => partOf(term) ?? [])

/** The width and the height of `size:1024x768` are two terms with one place. */
const distinctTerms = (terms: readonly SearchTerm[]): SearchTerm[] =>
  terms.flatMap((term, at) => {
    if (term.start === terms[at - 1]?.start) return []
    const next = terms[at + 1]
    if (next?.start !== term.start) return [term]
    return [{ type: 'all', terms: [term, next], start: term.start, end: term.end }]
  })

const partOf = (term: SearchTerm): ChoicePart | null => {
  const { start, end } = term
  const isExcluded = term.type === 'not'
  const inner = isExcluded ? term.term : term
  const members = (inner.type === 'any' ? inner.terms : [inner]).map(chosenBy)
  const values = members.flatMap((member) => member ?? [])
  const [first] = values
  if (first === undefined || values.length < members.length) return null
  if (values.some(({ key }) => key !== first.key)) return null
  return { key: first.key, values: values.map(({ value }) => value), isExcluded, start, end }
}

/** Returns the value that a term stands for. null: it is no condition for exactly one value. */
const chosenBy = (term: SearchTerm): ChosenValue | null => {
  switch (term.type) {
    case 'text':
      return term.isExact ? chosen(term.key, term.text) : null
    case 'choice':
      return chosen(term.key, term.choice)
    case 'range':
      if (term.key === 'rating') return chosen('rating', ratingOf(term))
      return term.key === 'date' ? chosen('month', monthOf(term)) : null
    case 'all':
      return chosen('size', sizeOf(term.terms))
    default:
      return null
  }
}

const chosen = (key: string, value: string | null): ChosenValue | null => {
  const section = sectionKeys.find((each) => each === key)
  return section === undefined || value === null ? null : { key: section, value }
}

const ratingOf = ({ min, max }: { min: number | null; max: number | null }): string | null =>
  min !== null && min === max ? String(min) : null

const monthOf = ({ min, max }: { min: number | null; max: number | null }): string | null => {
  if (min === null || max === null) return null
  const month = new Date(min).toISOString().slice(0, 7)
  const [same] = parseSearch(conditionOf('month', month)).terms
  return same?.type === 'range' && same.min === min && same.max === max ? month : null
}

const sizeOf = (terms: readonly SearchTerm[]): string | null => {
  const [width, height] = ['width', 'height'].map((key) => {
    const side = terms.find((term) => term.type === 'range' && term.key === key)
    return side?.type === 'range' && side.min === side.max ? side.min : null
  })
  return terms.length !== 2 || width == null || height == null ? null : `${width}x${height}`
}
