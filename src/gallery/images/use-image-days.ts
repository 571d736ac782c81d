import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ImageDays } from '#contract/image.ts'
import { useHasExtension } from '#gallery/api/capabilities.ts'
import { imageQueries } from '#gallery/api/image-queries.ts'
import { type ImageView, isTrash } from '#gallery/api/image-windows.ts'
import { isByDate } from '#gallery/url/place-order.ts'
import { totalOf } from './day-groups.ts'

/** Days whose sum is off are counted again after so long, in milliseconds: what lands mends most of them. */
const OFF_MS = 1_500

interface LoadedDays {
  /** Undefined until the server has answered. */
  readonly days: ImageDays | undefined
  /** The answer is on its way. */
  readonly isPending: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** Whether the days of a view can be asked for. */
export const useHasDays = (view: ImageView): boolean =>
  useHasExtension('image_days') && !isTrash(view) && isByDate(view.orderBy ?? 'created_at')

/**
 * How many images each day of a view has. Counted again after a change, and when the view has grown or
 * shrunk otherwise.
 *
 * @param total - Images in the view; undefined while that is not known.
 * @param isWanted - False: nothing is asked for.
 */
export function useImageDays(
  view: ImageView,
  total: number | undefined,
  isWanted: boolean,
): LoadedDays {
  const query = useQuery({ ...imageQueries.days(view), enabled: isWanted })
  const { data, isFetching, isStale, error, refetch } = query
  const countedFor = useRef<number | undefined>(undefined)
  const isOff = data !== undefined && total !== undefined && totalOf(data) !== total
  useEffect(() => {
    if (!isWanted || data === undefined || isFetching || error !== null) return
    // Once for a total: while changes are on their way to the server, its count is another.
    if (!isStale && !(isOff && countedFor.current !== total)) return
    const count = () => {
      countedFor.current = total
      void refetch()
    }
    const timer = setTimeout(count, isStale ? 0 : OFF_MS)
    return () => clearTimeout(timer)
  }, [isWanted, data, isFetching, error, isStale, isOff, total, refetch])
  return {
    days: isWanted ? data : undefined,
    isPending: isWanted && data === undefined && error === null,
    error: isWanted && data === undefined ? error : null,
    retry: () => void refetch(),
  }
}
