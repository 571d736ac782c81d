import {
  notifyManager,
  type QueryClient,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { cachedWindows } from '#gallery/api/images/image-cache.ts'
import {
  type ImageView,
  type ImageWindow,
  recordAt,
  windowIndexOf,
} from '#gallery/api/images/image-windows.ts'
import { metadataPart, metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { showImage } from '#gallery/url/use-place.ts'
import { makeLocator } from './locator.ts'
import { type Neighbors, neighborsOf, type ViewPosition, windowsAround } from './view-position.ts'

const NO_NEIGHBORS: Neighbors = { previous: null, next: null }

/** Returns the image in the lightbox, its position in the view and its neighbors. */
export function useViewedImage(view: ImageView, imageName: string) {
  const { client } = useGallery()
  const viewPosition = useViewPosition(view, imageName)
  const windows = useWindowsAround(view, viewPosition)
  const total = Math.max(0, ...[...windows.values()].map((window) => window.total))
  const neighbors = viewPosition === null ? NO_NEIGHBORS : neighborsOf(viewPosition, total)

  const position = viewPosition !== null && 'at' in viewPosition ? viewPosition.at : null
  const inView = position === null ? undefined : recordAt(windows, position)
  const isInView = inView?.image_name === imageName
  const part = isInView ? metadataPart(windows, position) : [imageName]
  const [lastSeen, setLastSeen] = useState<ImageRecord | undefined>(undefined)
  if (isInView && inView !== lastSeen) setLastSeen(inView)
  const seen = lastSeen?.image_name === imageName ? lastSeen : undefined
  const alone = useQuery({
    ...metadataQueries(client).record(imageName),
    enabled: !isInView,
    // Keeps the image visible while its record is fetched, for example after it moved to another board.
    ...(seen && { placeholderData: seen }),
  })

  const neighborRecords = [neighbors.next, neighbors.previous].flatMap((position) => {
    const record = position === null ? undefined : recordAt(windows, position)
    return record ? [record] : []
  })
  return {
    /** null: there is no image of this name. undefined: not loaded yet. */
    image: isInView ? inView : alone.data,
    hasFailed: !isInView && alone.isError,
    /** True if the image was shown before, so that a missing one was deleted meanwhile. */
    wasShown: seen !== undefined,
    viewPosition,
    total,
    neighbors,
    /** The cached records of the next and the previous image. */
    neighborRecords,
    /** Names of the images around this one whose metadata is fetched together. */
    part,
    /** Shows the image at a position, once its record is loaded. */
    showPosition: useShowPosition(view),
  }
}

/** Returns the windows of the image and its neighbors: one, or two at the edge of a window. */
function useWindowsAround(
  view: ImageView,
  viewPosition: ViewPosition | null,
): ReadonlyMap<number, ImageWindow> {
  const { imageQueries } = useGallery()
  const client = useQueryClient()
  const indices = viewPosition === null ? [] : windowsAround(viewPosition, knownTotal(client, view))
  const results = useQueries({ queries: indices.map((index) => imageQueries.window(view, index)) })
  return new Map(
    indices.flatMap((index, at) => {
      const data = results[at]?.data
      return data ? [[index, data]] : []
    }),
  )
}

/** Returns the number of images in the view; 0 if not known. */
const knownTotal = (client: QueryClient, view: ImageView): number =>
  Math.max(0, ...[...cachedWindows(client, view).values()].map(({ total }) => total))

function useShowPosition(view: ImageView): (position: number) => void {
  const { imageQueries } = useGallery()
  const client = useQueryClient()
  const lastWanted = useRef(0)
  return (position) => {
    lastWanted.current += 1
    const wanted = lastWanted.current
    const index = windowIndexOf(position)
    const show = (window: ImageWindow | undefined): boolean => {
      const record = window && recordAt(new Map([[index, window]]), position)
      if (record) showImage(record.image_name)
      return record !== undefined
    }
    const query = imageQueries.window(view, index)
    // Synchronous for cached windows: a key that is held down must not wait for promises.
    if (show(client.getQueryData(query.queryKey))) return
    const fetched = client.fetchQuery({ ...query, staleTime: 0 })
    fetched.then(
      // Ignored if the user paged on in the meantime.
      (window) => wanted === lastWanted.current && show(window),
      () => {},
    )
  }
}

/**
 * Returns the position of the shown image in the view; null if it is unknown or was never in the view. The server is
 * asked only if no cached window contains the image, so that paging costs no requests.
 */
function useViewPosition(view: ImageView, imageName: string): ViewPosition | null {
  const { imageQueries } = useGallery()
  const client = useQueryClient()
  const locate = useMemo(() => makeLocator(client, view), [client, view])
  const subscribe = useCallback(
    // The cache can change while another component renders, so React is notified afterwards.
    (onChange: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [client],
  )
  const found = useSyncExternalStore(subscribe, () => locate(imageName))

  const [lastSeen, setLastSeen] = useState<{ imageName: string; position: number } | null>(null)
  const before = lastSeen?.imageName === imageName ? lastSeen.position : undefined
  if (found !== undefined && found !== before) setLastSeen({ imageName, position: found })
  const seen = found ?? before

  const asked = useQuery({ ...imageQueries.position(view, imageName), enabled: seen === undefined })
  if (found !== undefined) return { at: found }
  if (seen !== undefined) return { before: seen }
  const position = asked.data?.position ?? null
  return position === null ? null : { at: position }
}

/** Prefetches images that may be shown next, and cancels those that are no longer candidates. */
export function usePrefetch(urls: readonly string[]): void {
  const loading = useRef(new Map<string, HTMLImageElement>())
  const wanted = urls.join('\n')
  useEffect(() => {
    const now = new Set(wanted === '' ? [] : wanted.split('\n'))
    for (const [url, image] of loading.current) {
      if (now.has(url)) continue
      image.src = ''
      loading.current.delete(url)
    }
    for (const url of now) {
      if (loading.current.has(url)) continue
      const image = new Image()
      image.decoding = 'async'
      image.src = url
      loading.current.set(url, image)
    }
  }, [wanted])
  useEffect(() => {
    const images = loading.current
    return () => {
      for (const image of images.values()) image.src = ''
      images.clear()
    }
  }, [])
}
