import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import type { ImageView, ImageWindow } from '#gallery/api/images/image-windows.ts'

/** How many images a view has, as the last answer about any part of it said; undefined before the first. */
export function useViewTotal(view: ImageView): number | undefined {
  const cache = useQueryClient().getQueryCache()
  const viewHash = hashKey(imageQueries.windows(view))
  const subscribe = useCallback(
    (onChange: () => void) => {
      const prefix = viewHash.slice(0, -1)
      return cache.subscribe(({ type, query }) => {
        // While a person scrolls, windows are looked at and left many times a second: that is no news.
        const isNews = type === 'updated' || type === 'removed'
        if (isNews && query.queryHash.startsWith(prefix)) onChange()
      })
    },
    [cache, viewHash],
  )
  return useSyncExternalStore(subscribe, () => {
    const windows = cache.findAll({ queryKey: imageQueries.windows(view) })
    const known = windows.filter(({ state }) => state.data !== undefined)
    const latest = known.toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt).at(-1)
    return (latest?.state.data as ImageWindow | undefined)?.total
  })
}
