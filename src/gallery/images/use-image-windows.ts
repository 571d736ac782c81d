import { useQueries } from '@tanstack/react-query'
import { useRef } from 'react'
import { imageQueries } from '#gallery/api/image-queries.ts'
import type { ImageView, ImageWindow, ImageWindows } from '#gallery/api/image-windows.ts'

interface LoadedWindows {
  windows: ImageWindows
  /** Images in the view; undefined until any window has come. */
  total: number | undefined
  /** Why a window that is wanted is not there. */
  error: Error | null
  retry: () => void
}

interface Shown {
  windows: ImageWindows
  /** When the server answered each of them. */
  updatedAt: ReadonlyMap<number, number>
  total: number | undefined
}

/**
 * The windows of a view that are wanted now.
 *
 * When several are fetched again, as after a change elsewhere, they are shown together once all are
 * there: one after the other they would show some images twice and others not at all.
 *
 * @param mayFetch - False while the person flings: what is there is shown, nothing is asked for. What
 *   was asked for and is wanted no more is given up.
 */
export function useImageWindows(
  view: ImageView,
  indices: readonly number[],
  mayFetch: boolean,
): LoadedWindows {
  const shown = useRef<Shown>({ windows: new Map(), updatedAt: new Map(), total: undefined })
  const results = useQueries({
    queries: indices.map((index) => ({ ...imageQueries.window(view, index), enabled: mayFetch })),
  })

  const isAnyRefetching = results.some(({ data, isFetching }) => data && isFetching)
  const windows = new Map<number, ImageWindow>()
  const updatedAt = new Map<number, number>()
  let latest = 0
  let total = shown.current.total
  for (const [at, { data, dataUpdatedAt }] of results.entries()) {
    const index = indices[at]
    if (data === undefined || index === undefined) continue
    const before = shown.current.windows.get(index)
    const since = shown.current.updatedAt.get(index)
    // A change by the person keeps the time of the last answer, so it is shown at once.
    const waitsForOthers = isAnyRefetching && before !== undefined && since !== dataUpdatedAt
    windows.set(index, waitsForOthers ? before : data)
    updatedAt.set(index, waitsForOthers ? (since ?? 0) : dataUpdatedAt)
    if (!waitsForOthers && dataUpdatedAt >= latest) {
      latest = dataUpdatedAt
      total = data.total
    }
  }
  shown.current = { windows, updatedAt, total }

  const failed = results.filter(({ error, data }) => error !== null && data === undefined)
  return {
    windows,
    total,
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const result of failed) void result.refetch()
    },
  }
}
