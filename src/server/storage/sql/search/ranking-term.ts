import type { SearchTerm, TextTerm } from '#contract/search/search.ts'

/** A condition that images match more or less. */
export type LikeTerm = TextTerm & { readonly key: 'like' | 'color' }

const isLikeTerm = (term: SearchTerm): term is SearchTerm & LikeTerm =>
  term.type === 'text' && (term.key === 'like' || term.key === 'color')

/** Returns the condition by which the matches of a search are ranked. null: none of its conditions ranks them. */
export const rankingTerm = (conditions: readonly SearchTerm[]): LikeTerm | null =>
  conditions.find(isLikeTerm) ?? null
