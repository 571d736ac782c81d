import type { Place, Search, SearchTerm } from '#contract/search/search.ts'
import type { SearchKey } from '#contract/search/search-keys.ts'
import { typedConditionAt } from '#gallery/url/typed-conditions.ts'
import { placeOfFault } from './search-marks.ts'

/** A text that can be completed at the caret. The place is the text that a completion replaces. */
export type Completion = Place &
  (
    | { readonly type: 'search' }
    | { readonly type: 'key'; readonly typed: string }
    | { readonly type: 'value'; readonly key: SearchKey; readonly typed: string }
  )

const LETTERS = /^[a-z]*$/i

/** Returns what can be completed at the caret of a parsed search: a search, a key or a value. null: nothing. */
export function completionAt(text: string, search: Search, caret: number): Completion | null {
  if (text.trim() === '') return { type: 'search', start: 0, end: text.length }
  const place = placesOf(text, search).find(({ start, end }) => start < caret && caret <= end)
  if (place === undefined) return { type: 'key', typed: '', start: caret, end: caret }
  const condition = typedConditionAt(text, place)
  if (condition !== null) {
    const { key, valueStart, end } = condition
    if (caret < valueStart) return null
    const typed = text.slice(valueStart, caret).replaceAll('"', '')
    return { type: 'value', key, typed, start: valueStart, end }
  }
  const typed = text.slice(place.start, caret)
  if (!LETTERS.test(typed)) return null
  return { type: 'key', typed, start: place.start, end: place.end }
}

/** The places of all words and conditions. */
const placesOf = (text: string, { terms, faults }: Search): Place[] => [
  ...terms.flatMap(leavesOf),
  ...faults.map((fault) => placeOfFault(text, fault)),
]

const leavesOf = (term: SearchTerm): Place[] => {
  if (term.type === 'not') return leavesOf(term.term)
  if (term.type === 'all' || term.type === 'any') return term.terms.flatMap(leavesOf)
  return [term]
}
