import type { FacetValue } from '#contract/search/facets.ts'
import { type FacetChoice, isSameValue } from './facet-choices.ts'
import type { SectionKey } from './facet-sections.ts'

export interface FacetRow {
  readonly value: string
  /** null: not known, for a chosen value that is rare. */
  readonly count: number | null
  readonly state: 'included' | 'excluded' | null
}

/**
 * Returns the rows of a section: the chosen values, the included ones first, then the others.
 *
 * @param top - The chosen values to list before the others.
 * @param limit - Number of the others.
 * @param choices - All chosen values, if the list may contain others than those of `top`.
 */
export const rowsOf = (
  key: SectionKey,
  values: readonly FacetValue[],
  top: readonly FacetChoice[],
  limit: number,
  choices: readonly FacetChoice[] = top,
): FacetRow[] => {
  const choiceOf = (value: string, of: readonly FacetChoice[]) =>
    of.find((choice) => isSameValue(choice, { key, value }))
  const first = top
    .toSorted((one, other) => Number(one.isExcluded) - Number(other.isExcluded))
    .map((choice): FacetRow => {
      const known = values.find(({ value }) => isSameValue(choice, { key, value }))
      const { value, count } = known ?? { value: choice.value, count: null }
      return { value, count, state: choice.isExcluded ? 'excluded' : 'included' }
    })
  const rest = values
    .filter(({ value }) => choiceOf(value, top) === undefined)
    .slice(0, limit)
    .map(({ value, count }): FacetRow => {
      const choice = choiceOf(value, choices)
      const state = choice === undefined ? null : choice.isExcluded ? 'excluded' : 'included'
      return { value, count, state }
    })
  return [...first, ...rest]
}
