import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Facet, FacetValue } from '#contract/search/facets.ts'
import { listedKeys, type SearchKey } from '#contract/search/search-keys.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { useAfterPause } from '#gallery/ui/use-after-pause.ts'
import { usePlace } from '#gallery/url/use-place.ts'
import type { Completion } from './completion-at.ts'
import { useRecentSearches } from './recent-searches.ts'
import {
  keySuggestions,
  listedSuggestions,
  recentAndExamples,
  type SuggestionGroup,
  valueSuggestions,
} from './suggestions.ts'

/** Returns the rows of the list below the search field. Empty: the list is closed. */
export function useSuggestions(completion: Completion | null): readonly SuggestionGroup[] {
  const recent = useRecentSearches()
  const values = useListedValues(completion)
  return groupsOf(completion, recent, values).filter(({ suggestions }) => suggestions.length > 0)
}

const groupsOf = (
  completion: Completion | null,
  recent: readonly string[],
  values: readonly FacetValue[],
): SuggestionGroup[] => {
  switch (completion?.type) {
    case undefined:
      return []
    case 'search':
      return recentAndExamples(recent)
    case 'key':
      return [keySuggestions(completion.typed)]
    case 'value':
      return [
        isListed(completion.key)
          ? listedSuggestions(completion.key, values)
          : valueSuggestions(completion, new Date()),
      ]
  }
}

const isListed = (key: SearchKey) => listedKeys.find((listed) => listed === key)

/** Delay between the last keystroke and the request for values, in milliseconds. */
const TYPING_PAUSE_MS = 80

/** Values in the list. The user types more letters to find others. */
const SUGGESTED_VALUES = 10

/** Returns the values in the open place that the user may mean. The search of the field does not limit them. */
function useListedValues(completion: Completion | null): readonly FacetValue[] {
  const { imageQueries } = useGallery()
  const view = viewOf({ ...usePlace(), query: '' })
  const key = completion?.type === 'value' ? isListed(completion.key) : undefined
  const typed = useAfterPause(
    completion?.type === 'value' ? completion.typed.trim() : '',
    TYPING_PAUSE_MS,
  )
  const { data } = useQuery({
    ...imageQueries.facets(view, {
      keys: [key ?? 'model'],
      limit: SUGGESTED_VALUES,
      text: typed,
    }),
    enabled: key !== undefined,
    select: ([facet]: readonly Facet[]) => facet?.values,
    // The list must not close between two letters.
    placeholderData: (before) => (before?.[0]?.key === key ? keepPreviousData(before) : undefined),
  })
  return key === undefined ? [] : (data ?? [])
}
