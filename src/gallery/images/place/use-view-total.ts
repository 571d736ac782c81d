import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { imageKeys, windowsFilter } from '#gallery/api/images/image-cache.ts'
import type { ImageView, ImageWindow } from '#gallery/api/images/image-windows.ts'

/** Returns the number of images in a view from the latest answer for any of its windows; undefined before the first. */
export function useViewTotal(view: ImageView): number | undefined {
  const cache = useQueryClient().getQueryCache()
  const viewHash = hashKey(imageKeys.windows(view))
  const subscribe = useCallback(
    (onChange: () => void) => {
      const prefix = viewHash.slice(0, -1)
      return cache.subscribe(({ type, query }) => {
        // During scrolling, observers are added and removed many times a second; only changed data matters here.
        const isNews = type === 'updated' || type === 'removed'
        if (isNews && query.queryHash.startsWith(prefix)) onChange()
      })
    },
    [cache, viewHash],
  )
  return useSyncExternalStore(subscribe, () => {
    const windows = cache.findAll(windowsFilter(view))
    const known = windows.filter(({ state }) => state.data !== undefined)
    const latest = known.toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt).at(-1)
    return (latest?.state.data as ImageWindow | undefined)?.total
  })
}
