import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MAX_FACET_VALUES } from '#contract/search/facets.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { ImageQueries } from '#gallery/api/images/image-queries.ts'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { ALL_BOARDS, TRASH } from '#gallery/url/place-order.ts'
import { usePlace } from '#gallery/url/use-place.ts'
import { groupsOf } from './order/board-tree.ts'
import { useBoards } from './use-boards.ts'

type Facets = Awaited<ReturnType<NonNullable<ReturnType<ImageQueries['facets']>['queryFn']>>>

const countsOf = ([facet]: Facets): ReadonlyMap<string, number> =>
  new Map(facet?.values.map(({ value, count }) => [value, count]))

/** Returns the number of found images by board while something is searched. null: nothing is, or it is not known. */
function useFoundCounts(): ReadonlyMap<string, number> | null {
  const place = usePlace()
  const { imageQueries } = useGallery()
  const canCount = useHasExtension('search_conditions')
  const isSearched = canCount && place.query !== '' && place.board !== TRASH
  const view = viewOf({ ...place, board: ALL_BOARDS })
  const { data } = useQuery({
    ...imageQueries.facets(view, { keys: ['board_id'], limit: MAX_FACET_VALUES, text: '' }),
    enabled: isSearched,
    select: countsOf,
    placeholderData: keepPreviousData,
  })
  return (isSearched && data) || null
}

const sumOf = (counts: Iterable<number>): number => {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}

/** Returns the number of found images of a place. null: nothing is searched, or the place is not counted. */
export function useFoundCount(place: string): number | null {
  const counts = useFoundCounts()
  const boards = useBoards()
  if (counts === null) return null
  if (place === ALL_BOARDS) return sumOf(counts.values())
  const isBoard = place === 'none' || boards?.some(({ board_id }) => board_id === place)
  return isBoard ? (counts.get(place) ?? 0) : null
}

/** Returns the number of found images of all boards in a group. null: nothing is searched. */
export function useFoundCountOfGroup(path: string): number | null {
  const counts = useFoundCounts()
  const boards = useBoards()
  if (counts === null) return null
  const inGroup = boards?.filter(({ board_name }) => groupsOf(board_name).includes(path)) ?? []
  return sumOf(inGroup.map(({ board_id }) => counts.get(board_id) ?? 0))
}
