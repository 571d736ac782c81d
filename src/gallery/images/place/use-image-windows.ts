import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { agreeOnWindows, NO_WINDOWS } from '#gallery/api/answer/agreeing-windows.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { imageKeys, newestTotal } from '#gallery/api/images/image-cache.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import type { GridScroller } from '#gallery/images/grid/grid-scroller.ts'

/** Delay before windows that disagree are fetched again, in milliseconds. Events resolve most disagreements sooner. */
const DISAGREE_MS = 1_000

/**
 * Returns the windows of a view that the screen needs.
 *
 * The windows shown together always have the same total. When several windows are refetched, for example after a change
 * by another client or when new images are inserted meanwhile, they are shown together once they agree. Shown one by
 * one, they would repeat some images and omit others.
 *
 * @param mayFetch - See {@link useMayFetch}. False: only cached windows are shown, and nothing is fetched. Requests for
 * windows that are no longer needed are canceled.
 */
export function useImageWindows(view: ImageView, indices: readonly number[], mayFetch: boolean) {
  const { imageQueries } = useGallery()
  const client = useQueryClient()
  const results = useQueries({
    queries: indices.map((index) => ({ ...imageQueries.window(view, index), enabled: mayFetch })),
  })
  const cached = results.flatMap(({ data: window, dataUpdatedAt, isFetching }, at) => {
    const index = indices[at]
    if (window === undefined || index === undefined) return []
    return { index, window, answeredAt: dataUpdatedAt, isFetching }
  })
  const [before, setShown] = useState(NO_WINDOWS)
  const [unsettled, setUnsettled] = useState('')
  const shown = agreeOnWindows(before, cached, {
    unsettled,
    newestTotal: () => newestTotal(client, view),
  })
  if (shown !== before) setShown(shown)
  useRefetchOf(view, shown.dispute, setUnsettled)

  const failed = results.filter(({ error, data }) => error !== null && data === undefined)
  return {
    windows: shown.windows,
    /** Number of images in the view; undefined until the first window is loaded. */
    total: shown.total,
    /** Error of a wanted window that failed to load. */
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const result of failed) void result.refetch()
    },
  }
}

/**
 * Returns false while the user scrolls fast through windows that are not loaded. Stays true in flings through loaded ones,
 * because each change of it renders the grid.
 */
export function useMayFetch(
  scroller: GridScroller,
  view: ImageView,
  indices: readonly number[],
): boolean {
  const { imageQueries } = useGallery()
  const client = useQueryClient()
  const isLoaded = (index: number) =>
    client.getQueryData(imageQueries.window(view, index).queryKey) !== undefined
  return useSyncExternalStore(
    scroller.subscribeSpeed,
    () => scroller.isScrollingSlowly() || indices.every(isLoaded),
  )
}

/** Fetches windows that disagree again. Reports a dispute that remains, because requests failed or the view changes fast. */
function useRefetchOf(view: ImageView, dispute: string, onUnsettled: (dispute: string) => void) {
  const client = useQueryClient()
  useEffect(() => {
    if (dispute === '') return
    let isOver = false
    const refetchWindows = async () => {
      await client.refetchQueries({ queryKey: imageKeys.windows(view), type: 'active' })
      if (!isOver) onUnsettled(dispute)
    }
    const timer = setTimeout(() => void refetchWindows(), DISAGREE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [client, view, dispute, onUnsettled])
}
