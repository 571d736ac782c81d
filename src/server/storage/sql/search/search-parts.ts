import { parseSearch } from '#contract/search/parse-search.ts'
import type { SearchTerm } from '#contract/search/search.ts'
import { utcClock } from '#contract/search/search-dates.ts'
import type { View } from '#server/core/images/image-ports.ts'

/** A search, divided into words that are found by their beginnings while they are typed, and conditions. */
export interface SearchParts {
  /** The words and "phrases" as typed. Empty: there are none. */
  words: string
  conditions: readonly SearchTerm[]
}

/** Dates such as `7d` change once in this time, so that the pages of a list agree with each other. */
const CLOCK_STEP_MS = 60_000

/** Divides the search of a view. Days are in UTC. */
export const searchPartsOf = ({ query = '' }: Pick<View, 'query'>): SearchParts => {
  const now = Math.floor(Date.now() / CLOCK_STEP_MS) * CLOCK_STEP_MS
  const { terms, faults } = parseSearch(query, utcClock(now))
  const words = terms.filter(({ type }) => type === 'word')
  // Without conditions, the text is searched exactly as typed.
  if (words.length === terms.length && faults.length === 0) return { words: query, conditions: [] }
  const conditions = terms.filter(({ type }) => type !== 'word')
  const typed = words.map(({ start, end }) => query.slice(start, end)).join(' ')
  const isTyping = words.at(-1)?.end === query.length
  return { words: typed === '' || isTyping ? typed : `${typed} `, conditions }
}
