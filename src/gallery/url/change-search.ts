import { MAX_QUERY_LENGTH } from '#contract/limits.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import { currentPlace, goTo } from './use-place.ts'

/** Changes the conditions of the search, unless it becomes too long. Closes the viewer. */
export function changeSearch(change: (query: string) => string): void {
  const query = change(currentPlace().query)
  if (query.length <= MAX_QUERY_LENGTH) goTo({ query, image: null })
  else showToast({ id: 'search', tone: 'danger', title: 'The search has too many conditions.' })
}
