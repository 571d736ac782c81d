import { MAX_QUERY_LENGTH } from '#contract/limits.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import type { Place } from './place.ts'
import { currentPlace, goTo } from './use-place.ts'

/** Goes to a place with another search, unless it is too long. */
export function goToSearch(change: Partial<Place> & Pick<Place, 'query'>): void {
  if (change.query.length <= MAX_QUERY_LENGTH) goTo(change)
  else showToast({ id: 'search', tone: 'danger', title: 'The search has too many conditions.' })
}

/** Changes the conditions of the search, unless it becomes too long. Closes the viewer. */
export const changeSearch = (change: (query: string) => string): void =>
  goToSearch({ query: change(currentPlace().query), image: null })
