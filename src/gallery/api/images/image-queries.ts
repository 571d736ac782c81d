import { queryOptions } from '@tanstack/react-query'
import type { TesseraClient } from '#client/index.ts'
import type { ImageDays, ImagePosition, ImageRecord } from '#contract/image.ts'
import { filterOf } from '#contract/image-filter.ts'
import type { ImageRatios } from '#contract/image-ratios.ts'
import type { Facet } from '#contract/search/facets.ts'
import type { ImageInsights } from '#contract/search/insights.ts'
import { localClock, withMoments } from '#contract/search/with-moments.ts'
import { itemUrls } from '#contract/videos/video-urls.ts'
import type { PendingImages } from '#gallery/api/answer/pending-images.ts'
import {
  type FacetOptions,
  facetCacheKeys,
  type InsightOptions,
  imageKeys,
  insightCacheKeys,
} from './image-cache.ts'
import { type ImageView, type ImageWindow, isTrash } from './image-windows.ts'
import { knownImages } from './known-images.ts'

/** The time after which a window is stale, in milliseconds. */
const STALE_AFTER_MS = 60_000

/** The time after which unused windows are evicted, in milliseconds. Scrolling must not fill the memory. */
const EVICT_AFTER_MS = 3 * 60_000

/** Returns the browser's time zone, in which days begin. A function, because the first read takes 10 ms or more. */
const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The maximum number of records per answer of the trash. */
const MAX_TRASH_LENGTH = 1000

/** Parsing an answer with more records would block the page noticeably. */
const RECORDS_PER_ANSWER = 2_500

/** Returns the size of images in bytes; `null` if the size of one is not known. */
export function totalSize(records: readonly Pick<ImageRecord, 'file_size'>[]): number | null {
  let bytes = 0
  for (const { file_size } of records) {
    if (file_size === null) return null
    bytes += file_size
  }
  return bytes
}

export type ImageQueries = ReturnType<typeof createImageQueries>

export const createImageQueries = (client: TesseraClient, pending: PendingImages) => ({
  /** The records from `index * WINDOW_SIZE` on, and the total of the view. */
  window(view: ImageView, index: number) {
    return queryOptions({
      queryKey: imageKeys.window(view, index),
      queryFn: async ({ signal }): Promise<ImageWindow> => {
        const query = isTrash(view) ? null : await queryOf(client, view)
        return pending.fetchWindow(view, index, (part) =>
          query === null
            ? client.trash.list({ ...part, ...trashOrderOf(view) }, { signal })
            : client.images.page(query, part, { signal }),
        )
      },
      staleTime: STALE_AFTER_MS,
      gcTime: EVICT_AFTER_MS,
    })
  },

  /** The number of images in a view and their size in bytes; `null` if the server does not sum up sizes. */
  size(view: ImageView) {
    return queryOptions({
      queryKey: imageKeys.size(view),
      queryFn: async ({ signal }): Promise<{ total: number; bytes: number | null }> => {
        const counted = { offset: 0, limit: 0 }
        if (isTrash(view)) {
          const sized = { ...counted, includeSize: true, kind: 'all' } as const
          const { total, total_bytes: bytes = null } = await client.trash.list(sized, { signal })
          return { total, bytes }
        }
        const page = await client.images.page(await queryOf(client, view), counted, { signal })
        return { total: page.total, bytes: page.total_bytes ?? null }
      },
      staleTime: STALE_AFTER_MS,
    })
  },

  /**
   * The size of named images in bytes; `null` if the size of one is not known. Requests the records that are not cached.
   *
   * @param key - Identifies the list of names. For many names pass a number, because comparing names is slow.
   */
  sizeOf(imageNames: readonly string[], key: number | readonly string[] = imageNames) {
    return queryOptions({
      queryKey: imageKeys.sizeOf(key),
      queryFn: async ({ signal, client: queryClient }): Promise<number | null> => {
        const known = knownImages(queryClient, imageNames)
        const records = [...known.values()]
        const missing = imageNames.filter((name) => !known.has(name))
        for (let start = 0; start < missing.length; start += RECORDS_PER_ANSWER) {
          const part = missing.slice(start, start + RECORDS_PER_ANSWER)
          records.push(...(await client.images.getMany(part, { signal })))
        }
        return records.length === imageNames.length ? totalSize(records) : null
      },
      // The bytes of an image never change.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: EVICT_AFTER_MS,
    })
  },

  /** The position of an image in a view, from 0; `null` if the view does not contain it. */
  position(view: ImageView, imageName: string) {
    return queryOptions({
      queryKey: imageKeys.position(view, imageName),
      queryFn: async ({ client: queryClient, signal }): Promise<ImagePosition> => {
        if (!isTrash(view) && (await client.server.has('image_position'))) {
          return client.images.position(await queryOf(client, view), imageName, { signal })
        }
        const names = await queryClient.fetchQuery(this.names(view))
        const position = names.indexOf(imageName)
        return { position: position < 0 ? null : position, total: names.length }
      },
      staleTime: 0,
    })
  },

  /** The number of images per day, for a view in an order by date. */
  days(view: ImageView) {
    return queryOptions({
      queryKey: [...imageKeys.view(view), 'days', timeZone()] as const,
      queryFn: async ({ signal }): Promise<ImageDays> =>
        client.images.days(await queryOf(client, view), { timeZone: timeZone(), signal }),
      // Only a change makes it stale. The timeline also refetches it if the sum differs from the total of the view.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: EVICT_AFTER_MS,
    })
  },

  /** The sums of the ratios of a view, in one group or by day. */
  ratios(view: ImageView, isByDay: boolean) {
    return queryOptions({
      queryKey: [...imageKeys.view(view), 'ratios', isByDay ? timeZone() : null] as const,
      queryFn: async ({ signal }): Promise<ImageRatios> => {
        const options = { ...(isByDay && { timeZone: timeZone() }), signal }
        return client.images.ratios(await queryOf(client, view), options)
      },
      // Like the days.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: EVICT_AFTER_MS,
    })
  },

  /** The values of properties of a view with their counts. */
  facets(view: ImageView, options: FacetOptions) {
    const counted = unordered(view)
    return queryOptions({
      queryKey: [...facetCacheKeys.of(counted, options), timeZone()] as const,
      queryFn: async ({ signal }): Promise<readonly Facet[]> => {
        const { keys, text, ...others } = options
        const part = { facets: keys, ...(text !== '' && { text }), ...others, timeZone: timeZone() }
        const query = await queryOf(client, counted)
        return (await client.images.facets(query, { ...part, signal })).facets
      },
      // Only a change makes it stale.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: EVICT_AFTER_MS,
    })
  },

  /** Sums over the images of a view. */
  insights(view: ImageView, options: InsightOptions) {
    const summed = unordered(view)
    return queryOptions({
      queryKey: insightCacheKeys.of(summed, options),
      queryFn: async ({ signal }): Promise<ImageInsights> => {
        const { keys, limit } = options
        const query = await queryOf(client, summed)
        return client.images.insights(query, { insights: keys, limit, signal })
      },
      // Only a change makes it stale.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: EVICT_AFTER_MS,
    })
  },

  /** All image names of a view in its order. Only for actions on all images. */
  names(view: ImageView) {
    return queryOptions({
      queryKey: imageKeys.names(view),
      queryFn: ({ signal }): Promise<readonly string[]> =>
        pending.fetchNames(view, async () =>
          isTrash(view)
            ? await trashedNames(client, view, signal)
            : (await client.images.names(await queryOf(client, view), { signal })).image_names,
        ),
      // Tens of thousands of strings: comparing them one by one would cost more than it saves.
      structuralSharing: false,
      gcTime: 60_000,
      staleTime: STALE_AFTER_MS,
    })
  },
})

const trashOrders = ['created_at', 'taken_at', 'name', 'size'] as const

const trashOrderOf = ({ orderBy, orderDir }: ImageView) =>
  ({ orderBy: trashOrders.find((order) => order === orderBy), orderDir, kind: 'all' }) as const

/** Returns the names of all images in the trash, in the order of the view. */
export async function trashedNames(
  { trash }: Pick<TesseraClient, 'trash'>,
  view: ImageView,
  signal?: AbortSignal,
): Promise<string[]> {
  const names = new Set<string>()
  let offset = 0
  for (;;) {
    const part = { offset, limit: MAX_TRASH_LENGTH, ...trashOrderOf(view) }
    const { items, total } = await trash.list(part, { ...(signal && { signal }) })
    for (const { image_name } of items) names.add(image_name)
    offset += items.length
    if (items.length === 0 || offset >= total) return [...names]
  }
}

/**
 * Returns the query of a view, which contains videos unless its filter leaves them out. InvokeAI supports only `searchTerm`
 * and the order `created_at`.
 */
async function queryOf({ server }: TesseraClient, view: ImageView) {
  const { boardId, query, orderBy, orderDir, starredFirst } = view
  const search = query === '' ? {} : await searchOf(server, query)
  // Without a filter, the first list of the page does not wait for the capabilities of the server. A server that cannot
  // sort ignores `order_by`.
  const hasStars = view.isStarred !== undefined && (await server.has('starred_filter'))
  const isOfLength = (view.minDurationMs ?? view.maxDurationMs) !== undefined
  const hasDurations = isOfLength && (await server.has('video_durations'))
  const known = {
    ...view,
    ...(!hasStars && { isStarred: undefined }),
    ...(!hasDurations && { minDurationMs: undefined, maxDurationMs: undefined }),
  }
  return {
    boardId: boardId ?? undefined,
    isIntermediate: false,
    kind: 'all' as const,
    ...(orderBy && (!server.known || (await server.has('image_orders'))) && { orderBy }),
    orderDir,
    starredFirst,
    ...filterOf(known),
    ...search,
  }
}

/** Returns a view for counts, for which the order of the images does not matter. */
function unordered({ orderBy: _, ...view }: ImageView): ImageView {
  return { ...view, orderDir: 'DESC', starredFirst: false }
}

/** Days of a search begin in the time zone of the browser. */
async function searchOf(server: TesseraClient['server'], query: string) {
  if (await server.has('search_conditions')) return { query: withMoments(query, localClock()) }
  return (await server.has('query')) ? { query } : { searchTerm: query }
}

/** Returns the URL of the thumbnail of an image of which only the name is known. */
export const thumbnailOf = ({ images }: Pick<TesseraClient, 'images'>, imageName: string): string =>
  images.thumbnailUrl(itemUrls(imageName))
