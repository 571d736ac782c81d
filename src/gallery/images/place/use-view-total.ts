import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { imageKeys, newestTotal } from '#gallery/api/images/image-cache.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'

/** Returns the number of images in a view, and follows it: see `newestTotal`. */
export function useViewTotal(view: ImageView): number | undefined {
  const client = useQueryClient()
  const viewHash = hashKey(imageKeys.windows(view))
  const subscribe = useCallback(
    (onChange: () => void) => {
      const prefix = viewHash.slice(0, -1)
      return client.getQueryCache().subscribe(({ type, query }) => {
        // During scrolling, observers are added and removed many times a second; only changed data matters here.
        const isNews = type === 'updated' || type === 'removed'
        if (isNews && query.queryHash.startsWith(prefix)) onChange()
      })
    },
    [client, viewHash],
  )
  return useSyncExternalStore(subscribe, () => newestTotal(client, view))
}
