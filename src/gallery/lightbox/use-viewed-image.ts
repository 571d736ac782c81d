import {
  notifyManager,
  type QueryClient,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import {
  type ImageView,
  type ImageWindow,
  recordAt,
  windowIndexOf,
} from '#gallery/api/images/image-windows.ts'
import { metadataPart, metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { goTo } from '#gallery/url/use-place.ts'
import { knownWindows, makeLocator } from './locator.ts'
import { type Neighbours, neighboursOf, type Standing, windowsAround } from './standing.ts'

export interface ViewedImage {
  /** null: there is no image of this name. undefined: not known yet. */
  readonly image: ImageRecord | null | undefined
  readonly hasFailed: boolean
  readonly standing: Standing | null
  readonly total: number
  readonly neighbours: Neighbours
  /** The records beside it that are known, nearest first. */
  readonly beside: readonly ImageRecord[]
  /** Names of the part of the view around the image, whose metadata is read together. */
  readonly part: readonly string[]
  /** Shows the image at a position, as soon as it is known which one that is. */
  readonly showPosition: (position: number) => void
}

const NO_NEIGHBOURS: Neighbours = { previous: null, next: null }

/** The image that the lightbox shows, and what stands beside it in the view. */
export function useViewedImage(view: ImageView, imageName: string): ViewedImage {
  const standing = useStanding(view, imageName)
  const windows = useWindowsAround(view, standing)
  const total = Math.max(0, ...[...windows.values()].map((window) => window.total))
  const neighbours = standing === null ? NO_NEIGHBOURS : neighboursOf(standing, total)

  const inView = standing !== null && 'at' in standing ? recordAt(windows, standing.at) : undefined
  const isInView = inView?.image_name === imageName
  const isPlaced = isInView && standing !== null && 'at' in standing
  const part = isPlaced ? metadataPart(windows, standing.at) : [imageName]
  const lastSeen = useRef<ImageRecord | undefined>(undefined)
  if (isInView) lastSeen.current = inView
  const seen = lastSeen.current?.image_name === imageName ? lastSeen.current : undefined
  const alone = useQuery({
    ...metadataQueries.record(imageName),
    enabled: !isInView,
    // One that was just moved to another board stays in sight while its record is asked for.
    ...(seen && { placeholderData: seen }),
  })

  const beside = [neighbours.next, neighbours.previous].flatMap((position) => {
    const record = position === null ? undefined : recordAt(windows, position)
    return record ? [record] : []
  })
  return {
    image: isInView ? inView : alone.data,
    hasFailed: !isInView && alone.isError,
    standing,
    total,
    neighbours,
    beside,
    part,
    showPosition: useShowPosition(view),
  }
}

/** The windows that hold the image and those beside it: one, or two at the edge of a window. */
function useWindowsAround(
  view: ImageView,
  standing: Standing | null,
): ReadonlyMap<number, ImageWindow> {
  const client = useQueryClient()
  const indices = standing === null ? [] : windowsAround(standing, knownTotal(client, view))
  const results = useQueries({ queries: indices.map((index) => imageQueries.window(view, index)) })
  return new Map(
    indices.flatMap((index, at) => {
      const data = results[at]?.data
      return data ? [[index, data]] : []
    }),
  )
}

/** Images in the view, as far as that is known. */
const knownTotal = (client: QueryClient, view: ImageView): number =>
  Math.max(0, ...[...knownWindows(client, view).values()].map(({ total }) => total))

function useShowPosition(view: ImageView): (position: number) => void {
  const client = useQueryClient()
  const lastWanted = useRef(0)
  return (position) => {
    lastWanted.current += 1
    const wanted = lastWanted.current
    const index = windowIndexOf(position)
    const show = (window: ImageWindow | undefined): boolean => {
      const record = window && recordAt(new Map([[index, window]]), position)
      if (record) goTo({ image: record.image_name }, { replace: true })
      return record !== undefined
    }
    const query = imageQueries.window(view, index)
    // At once where it is known: a key that is held down must not wait for promises.
    if (show(client.getQueryData(query.queryKey))) return
    const fetched = client.fetchQuery({ ...query, staleTime: 0 })
    fetched.then(
      // Another step since then has made this one old news.
      (window) => wanted === lastWanted.current && show(window),
      () => {},
    )
  }
}

/**
 * Where the shown image stands in the view; null while that is not known, or when it was never in it.
 * The server is asked only where no window that is known holds it, so that paging costs no requests.
 */
function useStanding(view: ImageView, imageName: string): Standing | null {
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

/** Fetches pictures that may be shown next, and stops fetching those that no longer are among them. */
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
