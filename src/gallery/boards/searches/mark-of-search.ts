import { filterOfQuery } from '#contract/image-filter.ts'
import { MAX_RATING } from '#contract/limits.ts'
import { parseSearch } from '#contract/search/parse-search.ts'
import { tagNameIn } from '#contract/search/tag-names.ts'
import type { SavedSearch } from '#gallery/api/searches.ts'
import type { ImagesPayload } from '#gallery/ui/drag/drag.ts'

/**
 * Returns what a drop does to images so that a search finds them. null: more than one tag, one rating or the star decides
 * what it finds.
 */
export function markOfSearch({
  query,
  filter,
}: Pick<SavedSearch, 'query' | 'filter'>): ((images: ImagesPayload) => void) | null {
  const { isStarred, ...filters } = filterOfQuery(filter ?? {})
  if (Object.keys(filters).length > 0) return null
  const { terms, faults } = parseSearch(query)
  const [term, ...others] = terms
  if (isStarred && terms.length + faults.length === 0) return ({ star }) => star()
  if (isStarred !== undefined) return null
  if (term === undefined || faults.length + others.length > 0) return null
  if (term.type === 'choice' && term.key === 'is' && term.choice === 'starred') {
    return ({ star }) => star()
  }
  if (term.type === 'text' && term.key === 'tag') {
    // `tag=people/` is the tag with those below it.
    const name = tagNameIn(term.text.replace(/\/$/, ''))
    return name === null ? null : ({ tag }) => tag(name)
  }
  if (term.type !== 'range' || term.key !== 'rating') return null
  const { min, max, isMinExcluded, isMaxExcluded } = term
  if (min === null || isMaxExcluded || (max !== null && max !== min)) return null
  const rating = isMinExcluded ? min + 1 : min
  // All images have at least 0, so a drop would only take ratings away.
  const isOfAll = rating === 0 && max === null
  const isRating = Number.isInteger(rating) && rating <= MAX_RATING && !isOfAll
  if (!isRating) return null
  return max === null ? ({ raise }) => raise(rating) : ({ rate }) => rate(rating)
}
