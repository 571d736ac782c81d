import { notifyManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react'
import { imageQueries } from '#gallery/api/image-queries.ts'
import type { ImageView } from '#gallery/api/image-windows.ts'
import { makeLocator } from './locator.ts'
import type { Standing } from './standing.ts'

/**
 * Where the shown image stands in the view; null while that is not known, or when it was never in it.
 * The server is asked only where no window that is known holds it, so that paging costs no requests.
 */
export function useStanding(view: ImageView, imageName: string): Standing | null {
  const client = useQueryClient()
  const locate = useMemo(() => makeLocator(client, view), [client, view])
  const subscribe = useCallback(
    // A query can change while another component renders: React is told afterwards.
    (onChange: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [client],
  )
  const found = useSyncExternalStore(subscribe, () => locate(imageName))

  const lastSeen = useRef<{ imageName: string; position: number } | null>(null)
  if (found !== undefined) lastSeen.current = { imageName, position: found }
  const seen = lastSeen.current?.imageName === imageName ? lastSeen.current.position : undefined

  const asked = useQuery({ ...imageQueries.position(view, imageName), enabled: seen === undefined })
  if (found !== undefined) return { at: found }
  if (seen !== undefined) return { before: seen }
  const position = asked.data?.position ?? null
  return position === null ? null : { at: position }
}
