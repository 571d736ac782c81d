import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { MAX_FACET_VALUES } from '#contract/search/facets.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
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

/** How many images a search finds where. */
interface FoundCounts {
  /** Returns the number of found images of a place. null: the place is not counted. */
  ofPlace: (place: string) => number | null
  /** Returns the sum of all boards in a group. */
  ofGroup: (path: string) => number
}

/** null: nothing is searched, or the numbers are not known. */
const FoundCountsContext = createContext<FoundCounts | null>(null)

/** Counts the found images once for all rows inside. Asking in each row took up to 18 ms of a key in the filter. */
export function FoundCountsProvider({ children }: { children: ReactNode }) {
  const counts = useCountsByBoard()
  const boards = useBoards()
  const found = useMemo(() => counts && foundCountsOf(counts, boards ?? []), [counts, boards])
  return <FoundCountsContext value={found}>{children}</FoundCountsContext>
}

/** Returns the number of found images of a place. null: nothing is searched, or the place is not counted. */
export const useFoundCount = (place: string): number | null =>
  useContext(FoundCountsContext)?.ofPlace(place) ?? null

/** Returns the number of found images of all boards in a group. null: nothing is searched. */
export const useFoundCountOfGroup = (path: string): number | null =>
  useContext(FoundCountsContext)?.ofGroup(path) ?? null

/** Returns the number of found images by board while something is searched. null: nothing is, or it is not known. */
function useCountsByBoard(): ReadonlyMap<string, number> | null {
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

function foundCountsOf(counts: ReadonlyMap<string, number>, boards: readonly Board[]): FoundCounts {
  const ids = new Set(boards.map(({ board_id }) => board_id))
  return {
    ofPlace: (place) => {
      if (place === ALL_BOARDS) return sumOf(counts.values())
      const isCounted = place === UNCATEGORIZED_BOARD_ID || ids.has(place)
      return isCounted ? (counts.get(place) ?? 0) : null
    },
    ofGroup: (path) => {
      const inGroup = boards.filter(({ board_name }) => groupsOf(board_name).includes(path))
      return sumOf(inGroup.map(({ board_id }) => counts.get(board_id) ?? 0))
    },
  }
}
