import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { defaultDirOf, isPropertyOrder, ordersOf, type SortKey } from '#gallery/url/place-order.ts'
import { usePlace } from '#gallery/url/use-place.ts'

const labels = {
  deleted_at: { by: 'Date deleted', DESC: 'Newest first', ASC: 'Oldest first' },
  created_at: { by: 'Date added', DESC: 'Newest first', ASC: 'Oldest first' },
  taken_at: { by: 'Date taken', DESC: 'Newest first', ASC: 'Oldest first' },
  name: { by: 'Name', ASC: 'A to Z', DESC: 'Z to A' },
  size: { by: 'Size', DESC: 'Largest first', ASC: 'Smallest first' },
  duration: { by: 'Length', DESC: 'Longest first', ASC: 'Shortest first' },
  width: { by: 'Width', DESC: 'Largest first', ASC: 'Smallest first' },
  height: { by: 'Height', DESC: 'Largest first', ASC: 'Smallest first' },
  steps: { by: 'Steps', DESC: 'Most first', ASC: 'Fewest first' },
  cfg: { by: 'CFG scale', DESC: 'Highest first', ASC: 'Lowest first' },
  rating: { by: 'Rating', DESC: 'Best first', ASC: 'Best last' },
  relevance: { by: 'Best match', DESC: 'Best first', ASC: 'Best last' },
} as const satisfies Record<SortKey, object>

/** Returns the orders of a board that the server has, as options of a choice. */
export function useOrderChoices(board: string) {
  const hasDurations = useHasExtension('video_durations')
  const hasProperties = useHasExtension('search_conditions')
  const hasRatings = useHasExtension('ratings')
  const { query, orderBy } = usePlace()
  // Without a search, all images match equally well.
  const isRanked = query !== '' || orderBy === 'relevance'
  return ordersOf(board)
    .filter((value) => value !== 'duration' || hasDurations)
    .filter((value) => !isPropertyOrder(value) || hasProperties)
    .filter((value) => value !== 'rating' || hasRatings)
    .filter((value) => value !== 'relevance' || isRanked)
    .map((value) => ({ value, label: labels[value].by }))
}

/** Returns both directions of an order, the default first. */
export function directionsOf(orderBy: SortKey) {
  const first = defaultDirOf(orderBy)
  const dirs = [first, first === 'ASC' ? 'DESC' : 'ASC'] as const
  return dirs.map((value) => ({ value, label: labels[orderBy][value] }))
}
