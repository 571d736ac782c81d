import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { filterOf } from '#contract/image-filter.ts'
import { type DuplicateGroup, type DuplicateView, keyOfGroup } from '#gallery/api/duplicates.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useAfterPause } from '#gallery/ui/use-after-pause.ts'
import { usePlace } from '#gallery/url/use-place.ts'
import { useLikeness } from './duplicates-store.ts'

/** A comparison begins when the slider and the search have rested for so many milliseconds. */
const PAUSE_MS = 250

/** Returns the duplicates of the search of the page. */
export function useDuplicateView(): DuplicateView {
  const place = usePlace()
  const { match, distance } = useLikeness()
  const view: DuplicateView = {
    ...filterOf(place),
    match,
    ...(match === 'near' && { distance }),
    ...(place.query.trim() !== '' && { query: place.query }),
  }
  const settled = useAfterPause(JSON.stringify(view), PAUSE_MS)
  return useMemo(() => JSON.parse(settled), [settled])
}

/** Returns the loaded groups and the state of the comparison. `isOn`: false ends the comparison. */
export function useDuplicates(view: DuplicateView, isOn: boolean) {
  const { duplicates } = useGallery()
  const query = useInfiniteQuery({
    ...duplicates.groups(view),
    enabled: isOn,
    placeholderData: keepPreviousData,
  })
  const { data } = query
  // A group is on two pages if one before it was resolved between their requests.
  const groups = useMemo((): readonly DuplicateGroup[] => {
    const all = data?.pages.flatMap(({ items }) => items) ?? []
    return [...new Map(all.map((group) => [keyOfGroup(group), group])).values()]
  }, [data])
  return { ...query, groups, summary: data?.pages[0] }
}
