import { parseSearch } from './parse-search.ts'
import { type Place, printTerm, type RangeTerm, type SearchTerm } from './search.ts'
import type { SearchClock } from './search-dates.ts'

const MINUTE_MS = 60_000

/** Days in the time zone of this process, in whole minutes, so that equal searches of a minute are equal texts. */
export const localClock = (now = Date.now()): SearchClock => ({
  now: Math.floor(now / MINUTE_MS) * MINUTE_MS,
  startOfDay: (year, month, day) => new Date(year, month, day).getTime(),
})

/** Replaces the dates of a search by moments, so that they mean the same in another time zone. All else stays as typed. */
export const withMoments = (text: string, clock: SearchClock): string => {
  let result = ''
  let at = 0
  for (const range of datesIn(parseSearch(text, clock).terms)) {
    result += text.slice(at, range.start) + printTerm(range)
    at = range.end
  }
  return result + text.slice(at)
}

type PlacedRange = RangeTerm & Place

const datesIn = (terms: readonly SearchTerm[]): PlacedRange[] =>
  terms.flatMap((term) => {
    if (term.type === 'not') return datesIn([term.term])
    if (term.type === 'all' || term.type === 'any') return datesIn(term.terms)
    return term.type === 'range' && isPrintableDate(term) ? [term] : []
  })

const isPrintableDate = ({ key, min, max }: RangeTerm): boolean =>
  (key === 'date' || key === 'added') && [min, max].every((at) => at === null || isMoment(at))

/** ISO 8601 has signs and more digits for other years. */
const [FIRST, LAST] = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map(Date.parse) as [
  number,
  number,
]

const isMoment = (at: number): boolean => at >= FIRST && at <= LAST
