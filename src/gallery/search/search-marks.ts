import type { Place, Search, SearchFault, SearchTerm } from '#contract/search/search.ts'
import { typedConditionAt } from '#gallery/url/typed-conditions.ts'

/** The meaning of a part of the typed text. null: words and spaces. */
export type MarkKind = 'key' | 'value' | 'not' | 'or' | 'fault'

interface Mark extends Place {
  readonly kind: MarkKind
  /** Inside a part that a `-` excludes. */
  readonly isExcluded: boolean
}

export interface Segment extends Omit<Mark, 'kind'> {
  readonly kind: MarkKind | null
  readonly text: string
}

/** The last key of a text, with its comparison. */
const LAST_KEY = /[a-z]+(?::?(?:>=|<=|>|<|=)|:)$/i

/** Returns the place of a condition that cannot be understood, with its key. */
export const placeOfFault = (text: string, { start, end, key }: SearchFault): Place => {
  const head = key === null ? '' : (LAST_KEY.exec(text.slice(0, start))?.[0] ?? '')
  return { start: start - head.length, end }
}

/** Returns true if the user is typing at this place. */
export const isCaretIn = (caret: number | null, { start, end }: Place): boolean =>
  caret !== null && caret >= start && caret <= end

/** Returns the faults outside the condition that the user is typing. */
export const finishedFaults = (
  text: string,
  { faults }: Search,
  caret: number | null,
): SearchFault[] => faults.filter((fault) => !isCaretIn(caret, placeOfFault(text, fault)))

/** Splits a text into the parts that are drawn differently. */
export function segmentsOf(
  text: string,
  search: Search,
  faults: readonly SearchFault[],
): Segment[] {
  const marks = [
    ...search.terms.flatMap((term) => marksOf(text, term, false)),
    ...faults.map(
      (fault): Mark => ({ ...placeOfFault(text, fault), kind: 'fault', isExcluded: false }),
    ),
  ].sort((a, b) => a.start - b.start)
  const segments: Segment[] = []
  let at = 0
  const add = (place: Place, kind: MarkKind | null, isExcluded: boolean) => {
    const start = Math.max(at, place.start)
    if (start >= place.end) return
    segments.push({ start, end: place.end, kind, isExcluded, text: text.slice(start, place.end) })
    at = place.end
  }
  for (const mark of marks) {
    add({ start: at, end: mark.start }, null, false)
    add(mark, mark.kind, mark.isExcluded)
  }
  add({ start: at, end: text.length }, null, false)
  return segments
}

function marksOf(text: string, term: SearchTerm, isExcluded: boolean): Mark[] {
  switch (term.type) {
    case 'word':
      return isExcluded ? [{ start: term.start, end: term.end, kind: 'value', isExcluded }] : []
    case 'not': {
      const { start } = term
      return [
        { start, end: start + 1, kind: 'not', isExcluded: true },
        ...marksOf(text, term.term, true),
      ]
    }
    case 'all':
      return term.terms.flatMap((part) => marksOf(text, part, isExcluded))
    case 'any':
      return term.terms.flatMap((part, at) => [
        ...orBetween(text, term.terms[at - 1]?.end, part.start),
        ...marksOf(text, part, isExcluded),
      ])
    default: {
      const condition = typedConditionAt(text, term)
      if (condition === null) return []
      const { start, valueStart, end } = condition
      return [
        { start, end: valueStart, kind: 'key', isExcluded },
        { start: valueStart, end, kind: 'value', isExcluded },
      ]
    }
  }
}

const orBetween = (text: string, from: number | undefined, to: number): Mark[] => {
  const at = from === undefined ? -1 : text.slice(from, to).indexOf('OR')
  if (from === undefined || at < 0) return []
  return [{ start: from + at, end: from + at + 2, kind: 'or', isExcluded: false }]
}
